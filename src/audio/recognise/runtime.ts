import * as ort from "onnxruntime-web/wasm";
import { RecogniserError } from "./failure.ts";

/** What a model takes and gives, by the names in its file. */
export type Tensors = Readonly<Record<string, ort.Tensor>>;

/** A model that is loaded. */
export interface Model {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** To be called in turn. @param wanted the outputs to give; default: all of them */
  run(inputs: Tensors, wanted?: readonly string[]): Promise<Tensors>;
  close(): Promise<void>;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * One after another: while a call of onnxruntime waits, its place on WebAssembly's stack is free for the next, which would
 * overwrite it.
 * @param call one run, or several short ones that should not wait for others in between
 */
export function inTurn<Result>(call: () => Promise<Result>): Promise<Result> {
  const result = last.then(call);
  last = result.catch(() => undefined);
  return result;
}

/** For all models. @param wasm ort-wasm-simd-threaded.wasm, which is needed until the first one is loaded: nothing is fetched */
export function prepareRuntime(wasm: Uint8Array): void {
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmBinary = wasm;
  // It would warn of what the models have and nothing uses.
  ort.env.logLevel = "error";
}

/** Frees memory at once: a pass leaves 20 MB behind, and waiting for the garbage collector takes hundreds. */
export function discard({ buffer }: { readonly buffer: ArrayBufferLike }): void {
  // Safari has it from 17.4 on.
  if ("transfer" in buffer) buffer.transfer(0);
}

/** Frees what a model was given, or gave. */
export function discardTensors(tensors: Tensors): void {
  for (const { data } of Object.values(tensors)) if (!Array.isArray(data)) discard(data);
}

/**
 * Loads a model into onnxruntime's WebAssembly, on one thread.
 * @param name of the file, for the error
 * @param file its memory is given away: WebAssembly has a copy of its own
 * @throws RecogniserError `brokenModel`
 */
export async function loadModel(name: string, file: Uint8Array<ArrayBuffer>): Promise<Model> {
  const session = await inTurn(() => ort.InferenceSession.create(file)).catch((cause: unknown) => {
    throw new RecogniserError("brokenModel", `${name} can't be loaded.`, { cause });
  });
  discard(file);
  return {
    inputs: session.inputNames,
    outputs: session.outputNames,
    run: (inputs, wanted = session.outputNames) => session.run(inputs, wanted),
    close: () => inTurn(() => session.release()),
  };
}

/** The tensor of this name. @throws RecogniserError `brokenModel` when there is none */
export function tensorOf(tensors: Tensors, name: string): ort.Tensor {
  const tensor = tensors[name];
  if (tensor === undefined) throw new RecogniserError("brokenModel", `The model gives no "${name}".`);
  return tensor;
}

/** @throws RecogniserError `brokenModel` when it has no 32-bit floats */
export function numbersOf({ data, type }: ort.Tensor): Float32Array {
  if (!(data instanceof Float32Array)) throw new RecogniserError("brokenModel", `The model gives numbers of the type ${type}.`);
  return data;
}

export function floatTensor(numbers: Float32Array, shape: readonly number[]): ort.Tensor {
  return new ort.Tensor("float32", numbers, shape);
}

/** @param shape of one number: [] */
export function wholeTensor(numbers: BigInt64Array, shape: readonly number[]): ort.Tensor {
  return new ort.Tensor("int64", numbers, shape);
}

export function flagTensor(isSet: boolean): ort.Tensor {
  return new ort.Tensor("bool", [isSet], [1]);
}
