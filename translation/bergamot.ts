import { checkMarian } from "./marian.ts";

/** A C++ object; it stays in memory until `delete` is called. */
interface Native {
  delete(): void;
}
interface AlignedMemory extends Native {
  getByteArrayView(): Int8Array;
}
interface List<Item> extends Native {
  push_back(item: Item): void;
}
/** A loaded model. */
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

/**
 * The part of Bergamot's WASM that is used here (wasm/bindings/ in its source). The package has no type declarations.
 */
interface Classes {
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

interface Module {
  instantiateWasm(imports: WebAssembly.Imports, accept: (instance: WebAssembly.Instance) => void): object;
  onRuntimeInitialized(): void;
  /** Filled in by the package's script. */
  asm?: Exports;
}

/** The package's script, as a function of its global variable `Module`, to which it adds its classes. */
export type BergamotScript = (module: Module) => Classes;

/** The content of a model's files. */
export interface BergamotBytes {
  model: Uint8Array;
  shortlist: Uint8Array | undefined;
  /** One for both languages, or the source's and the target's. */
  vocabularies: readonly Uint8Array[];
}

/**
 * Matrix multiplication is a separate module in Firefox, which links a faster one. The fallbacks are in the WASM
 * itself.
 */
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
 * Firefox's settings. Sentences of more than 128 pieces are cut, and a translation is at most twice as long as its
 * source. The engine's own check of its files is off: in WASM it refuses every shortlist written by a 64-bit program.
 */
const settings = `beam-size: 1
normalize: 1.0
word-penalty: 0
cpu-threads: 0
skip-cost: true
alignment: soft
quiet: true
quiet-translation: true
max-length-break: 128
mini-batch-words: 1024
workspace: 128
max-length-factor: 2.0
`;

/**
 * The engine of Firefox's translations. After an error, an instance can't be trusted, because its C++ code was
 * interrupted.
 */
export class Bergamot {
  readonly #classes: Classes;
  readonly #service: BlockingService;

  /** @param wasm bergamot-translator-worker.wasm @throws Error when the package is damaged */
  static async start(wasm: Uint8Array<ArrayBuffer>, script: BergamotScript): Promise<Bergamot> {
    return new Bergamot(
      await new Promise((resolve, reject) => {
        const module: Module = {
          instantiateWasm: (imports, accept) => {
            const linked = Object.entries(multiplication).map(
              ([name, fallback]) => [name, (...args: number[]) => module.asm?.[fallback]?.(...args)] as const,
            );
            WebAssembly.instantiate(wasm, { ...imports, wasm_gemm: Object.fromEntries(linked) }).then(
              ({ instance }) => accept(instance),
              reject,
            );
            return {};
          },
          onRuntimeInitialized: () => resolve(classes),
        };
        const classes = script(module);
      }),
    );
  }

  private constructor(classes: Classes) {
    this.#classes = classes;
    this.#service = new classes.BlockingService({ cacheSize: 0 });
  }

  /** Loads a model. @throws Error when it can't be loaded */
  load({ model, shortlist = new Uint8Array(0), vocabularies }: BergamotBytes): TranslationModel {
    const { hasAlphas } = checkMarian(model);
    const list = new this.#classes.AlignedMemoryList();
    for (const vocabulary of vocabularies) list.push_back(this.#inMemory(vocabulary, 64));
    return new this.#classes.TranslationModel(
      `${settings}gemm-precision: ${hasAlphas ? "int8shiftAlphaAll" : "int8shiftAll"}\n`,
      this.#inMemory(model, 256),
      this.#inMemory(shortlist, 64),
      list,
      null,
    );
  }

  /**
   * Translates with one model, or with two in sequence.
   * @returns one translation per text
   */
  translate(texts: readonly string[], first: TranslationModel, second?: TranslationModel): string[] {
    const input = new this.#classes.VectorString();
    const options = new this.#classes.VectorResponseOptions();
    for (const text of texts) {
      input.push_back(text);
      options.push_back({ alignment: false, html: false, qualityScores: false });
    }
    const responses =
      second === undefined
        ? this.#service.translate(first, input, options)
        : this.#service.translateViaPivoting(first, second, input, options);
    const translated = texts.map((_, at) => {
      const response = responses.get(at);
      const text = response.getTranslatedText();
      response.delete();
      return text;
    });
    for (const native of [responses, options, input]) native.delete();
    return translated;
  }

  #inMemory(bytes: Uint8Array, alignment: number): AlignedMemory {
    const memory = new this.#classes.AlignedMemory(bytes.length, alignment);
    memory.getByteArrayView().set(bytes);
    return memory;
  }
}
