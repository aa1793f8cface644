import { readFile, stat } from "node:fs/promises";
import type { Bergamot, TranslationModel } from "#translation/bergamot.ts";
import type { BergamotFiles } from "./files.ts";
import { loadBergamot } from "./wasm.ts";

/** The loaded models of this process. */
export class BergamotHost {
  readonly #bergamot: Bergamot;
  readonly #maxLoaded: number;
  /** By the file's path and times; the most recently used is the last. */
  readonly #loaded = new Map<string, TranslationModel>();

  /** @param maxLoaded most models loaded at a time; a pair that is used together is always allowed */
  static async open(maxLoaded: number): Promise<BergamotHost> {
    return new BergamotHost(await loadBergamot(), maxLoaded);
  }

  private constructor(bergamot: Bergamot, maxLoaded: number) {
    this.#bergamot = bergamot;
    this.#maxLoaded = maxLoaded;
  }

  /** How many models are loaded. */
  get loaded(): number {
    return this.#loaded.size;
  }

  /**
   * Translates with one model, or with two in sequence.
   * @returns one translation per text
   * @throws Error when a model can't be loaded
   */
  async translate(files: readonly BergamotFiles[], texts: readonly string[]): Promise<string[]> {
    const keys = await Promise.all(files.map(keyOf));
    const models: TranslationModel[] = [];
    for (const [at, one] of files.entries()) models.push(await this.#load(keys[at] ?? "", one, keys));
    const [first, second] = models;
    return first === undefined ? [...texts] : this.#bergamot.translate(texts, first, second);
  }

  async #load(key: string, files: BergamotFiles, needed: readonly string[]): Promise<TranslationModel> {
    const model = this.#loaded.get(key) ?? (await this.#create(files, needed));
    this.#loaded.delete(key);
    this.#loaded.set(key, model);
    return model;
  }

  async #create({ model, shortlist, vocabularies }: BergamotFiles, needed: readonly string[]): Promise<TranslationModel> {
    const bytes = {
      model: await readFile(model),
      shortlist: shortlist === undefined ? undefined : await readFile(shortlist),
      vocabularies: await Promise.all(vocabularies.map((path) => readFile(path))),
    };
    for (const [key, unneeded] of this.#loaded) {
      if (this.#loaded.size < this.#maxLoaded || needed.includes(key)) continue;
      unneeded.delete();
      this.#loaded.delete(key);
    }
    return this.#bergamot.load(bytes);
  }
}

/** The key changes when the model is reinstalled. */
async function keyOf({ model }: BergamotFiles): Promise<string> {
  const { mtimeMs, size } = await stat(model);
  return `${model} ${mtimeMs} ${size}`;
}
