import { readFile, stat } from "node:fs/promises";
import { type BergamotFiles, checkModelFile } from "./files.ts";
import { type Bergamot, loadBergamot, type TranslationModel } from "./wasm.ts";

/**
 * As Firefox sets it. Sentences of more than 128 pieces are cut, and a translation is at most twice as long as its source. The
 * engine's own check of its files is left out: in WASM it takes every shortlist that was written by a 64-bit program for a corrupted one.
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

/** The loaded models of this process. After an error nothing in here can be trusted, because C++ has stopped in the middle. */
export class BergamotHost {
  readonly #bergamot: Bergamot;
  readonly #service: InstanceType<Bergamot["BlockingService"]>;
  readonly #maxLoaded: number;
  /** By its file's path and times; the one that was used last is the last. */
  readonly #loaded = new Map<string, TranslationModel>();

  /** @param maxLoaded how many models may be loaded at a time; two that are used together always may */
  static async open(maxLoaded: number): Promise<BergamotHost> {
    return new BergamotHost(await loadBergamot(), maxLoaded);
  }

  private constructor(bergamot: Bergamot, maxLoaded: number) {
    this.#bergamot = bergamot;
    this.#maxLoaded = maxLoaded;
    this.#service = new bergamot.BlockingService({ cacheSize: 0 });
  }

  /** How many models are loaded. */
  get loaded(): number {
    return this.#loaded.size;
  }

  /**
   * Translates with one model, or with two, one after the other.
   * @returns a text for each text
   * @throws Error when a model can't be loaded
   */
  async translate(files: readonly BergamotFiles[], texts: readonly string[]): Promise<string[]> {
    const keys = await Promise.all(files.map(keyOf));
    const models: TranslationModel[] = [];
    for (const [at, one] of files.entries()) models.push(await this.#load(keys[at] ?? "", one, keys));
    const [first, second] = models;
    return first === undefined ? [...texts] : this.#translate(first, second, texts);
  }

  async #load(key: string, files: BergamotFiles, needed: readonly string[]): Promise<TranslationModel> {
    const model = this.#loaded.get(key) ?? (await this.#create(files, needed));
    this.#loaded.delete(key);
    this.#loaded.set(key, model);
    return model;
  }

  async #create({ model, shortlist, vocabularies }: BergamotFiles, needed: readonly string[]): Promise<TranslationModel> {
    const { hasAlphas } = await checkModelFile(model);
    for (const [key, unneeded] of this.#loaded) {
      if (this.#loaded.size < this.#maxLoaded || needed.includes(key)) continue;
      unneeded.delete();
      this.#loaded.delete(key);
    }
    const { AlignedMemory, AlignedMemoryList, TranslationModel: Model } = this.#bergamot;
    const list = new AlignedMemoryList();
    for (const path of vocabularies) list.push_back(await this.#inMemory(path, 64));
    return new Model(
      `${settings}gemm-precision: ${hasAlphas ? "int8shiftAlphaAll" : "int8shiftAll"}\n`,
      await this.#inMemory(model, 256),
      shortlist === undefined ? new AlignedMemory(0, 64) : await this.#inMemory(shortlist, 64),
      list,
      null,
    );
  }

  async #inMemory(path: string, alignment: number) {
    const bytes = await readFile(path);
    const memory = new this.#bergamot.AlignedMemory(bytes.length, alignment);
    memory.getByteArrayView().set(bytes);
    return memory;
  }

  #translate(first: TranslationModel, second: TranslationModel | undefined, texts: readonly string[]): string[] {
    const input = new this.#bergamot.VectorString();
    const options = new this.#bergamot.VectorResponseOptions();
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
}

/** A model that was installed anew is another one. */
async function keyOf({ model }: BergamotFiles): Promise<string> {
  const { mtimeMs, size } = await stat(model);
  return `${model} ${mtimeMs} ${size}`;
}
