import * as ort from "onnxruntime-web/wasm";
import { RecogniserError } from "./failure.ts";

/** A model's inputs or outputs, by their names in its file. */
export type Tensors = Readonly<Record<string, ort.Tensor>>;

/** A loaded model. */
export interface Model {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Runs the model. Calls must go through `inTurn`. @param wanted the outputs to return; default: all */
  run(inputs: Tensors, wanted?: readonly string[]): Promise<Tensors>;
  close(): Promise<void>;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs calls one after another. While a call of onnxruntime waits, its place on WebAssembly's stack is free, and the
 * next call would overwrite it.
 * @param call one run, or several short ones without other calls in between
 */
export function inTurn<Result>(call: () => Promise<Result>): Promise<Result> {
  const result = last.then(call);
  last = result.catch(() => undefined);
  return result;
}

/**
 * Prepares the runtime for all models.
 * @param wasm ort-wasm-simd-threaded.wasm, needed until the first model is loaded; nothing is fetched
 */
export function prepareRuntime(wasm: Uint8Array): void {
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmBinary = wasm;
  // Otherwise it warns about unused parts of the models.
  ort.env.logLevel = "error";
}

/** Frees memory at once. A pass leaves 20 MB behind, and the garbage collector would wait for hundreds. */
export function discard({ buffer }: { readonly buffer: ArrayBufferLike }): void {
  // Safari supports this from version 17.4.
  if ("transfer" in buffer) buffer.transfer(0);
}

/** Frees a model's inputs or outputs. */
export function discardTensors(tensors: Tensors): void {
  for (const { data } of Object.values(tensors)) if (!Array.isArray(data)) discard(data);
}

/**
 * Loads a model into onnxruntime's WebAssembly, on one thread.
 * @param name of the file, for the error
 * @param file its memory is transferred, because WebAssembly has its own copy
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

/** @param shape of a single number: [] */
export function wholeTensor(numbers: BigInt64Array, shape: readonly number[]): ort.Tensor {
  return new ort.Tensor("int64", numbers, shape);
}

export function flagTensor(isSet: boolean): ort.Tensor {
  return new ort.Tensor("bool", [isSet], [1]);
}
