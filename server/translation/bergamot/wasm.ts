import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";

/** A C++ object; it stays in memory until it is deleted. */
interface Native {
  delete(): void;
}
interface AlignedMemory extends Native {
  getByteArrayView(): Int8Array;
}
interface List<Item> extends Native {
  push_back(item: Item): void;
}
export interface TranslationModel extends Native {}
interface Response extends Native {
  getTranslatedText(): string;
}
interface Responses extends Native {
  get(at: number): Response;
}
interface ResponseOptions {
  alignment: boolean;
  html: boolean;
  qualityScores: boolean;
}
interface BlockingService extends Native {
  translate(model: TranslationModel, texts: List<string>, options: List<ResponseOptions>): Responses;
  translateViaPivoting(
    first: TranslationModel,
    second: TranslationModel,
    texts: List<string>,
    options: List<ResponseOptions>,
  ): Responses;
}

/** The part of Bergamot's WASM that is used here (wasm/bindings/ in its source); the package has no type declarations. */
export interface Bergamot {
  AlignedMemory: new (bytes: number, alignment: number) => AlignedMemory;
  AlignedMemoryList: new () => List<AlignedMemory>;
  VectorString: new () => List<string>;
  VectorResponseOptions: new () => List<ResponseOptions>;
  BlockingService: new (config: { cacheSize: number }) => BlockingService;
  TranslationModel: new (
    config: string,
    model: AlignedMemory,
    shortlist: AlignedMemory,
    vocabularies: List<AlignedMemory>,
    qualityModel: null,
  ) => TranslationModel;
}

type Exports = Record<string, (...numbers: number[]) => number>;

interface Settings {
  instantiateWasm(imports: WebAssembly.Imports, accept: (instance: WebAssembly.Instance) => void): object;
  onRuntimeInitialized(): void;
  /** Filled in by the package's script. */
  asm?: Exports;
}

/** Multiplication of matrices is a module of its own in Firefox, which links a faster one; the fallbacks are in the WASM itself. */
const multiplication = {
  int8_prepare_a: "int8PrepareAFallback",
  int8_prepare_b: "int8PrepareBFallback",
  int8_prepare_b_from_transposed: "int8PrepareBFromTransposedFallback",
  int8_prepare_b_from_quantized_transposed: "int8PrepareBFromQuantizedTransposedFallback",
  int8_prepare_bias: "int8PrepareBiasFallback",
  int8_multiply_and_add_bias: "int8MultiplyAndAddBiasFallback",
  int8_select_columns_of_b: "int8SelectColumnsOfBFallback",
};

/**
 * Loads the engine of Firefox's translations into this process. The package's own worker is made for pages: its models are addresses, and
 * none of them can be taken out of memory again without their pair's name.
 * @throws Error when the package is damaged
 */
export async function loadBergamot(): Promise<Bergamot> {
  const require = createRequire(import.meta.url);
  const program = require.resolve("@browsermt/bergamot-translator/worker/bergamot-translator-worker.js");
  const [script, binary] = await Promise.all([
    readFile(program, "utf8"),
    readFile(require.resolve("@browsermt/bergamot-translator/worker/bergamot-translator-worker.wasm")),
  ]);
  // It is a classic script that looks for a variable of this name, and leaves its classes there.
  const run: (settings: Settings, ...node: unknown[]) => Bergamot = new Script(
    `(function (Module, require, __dirname, __filename) {${script}\nreturn Module; })`,
    { filename: program },
  ).runInThisContext();
  return new Promise((resolve, reject) => {
    const settings: Settings = {
      instantiateWasm: (imports, accept) => {
        const linked = Object.entries(multiplication).map(
          ([name, fallback]) => [name, (...numbers: number[]) => settings.asm?.[fallback]?.(...numbers)] as const,
        );
        WebAssembly.instantiate(binary, { ...imports, wasm_gemm: Object.fromEntries(linked) }).then(
          ({ instance }) => accept(instance),
          reject,
        );
        return {};
      },
      onRuntimeInitialized: () => resolve(bergamot),
    };
    const bergamot = run(settings, require, dirname(program), program);
  });
}
