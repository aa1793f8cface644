import type { MeasuredSpeed, ModelCheck, ModelChoices, ModelKind, ModelPurpose } from "#contract/index.ts";
import type { CatalogueModel } from "./catalogue.ts";

/** A model that is whole, has been tried (unless it was unpacked by hand), and may be loaded. */
export interface InstalledModel {
  /** Its name, and its folder's. */
  id: string;
  /** Absolute. */
  folder: string;
  purpose: ModelPurpose;
  kind: ModelKind;
  /** Base codes ("de"); empty: no language, or not known. */
  languages: readonly string[];
  /** What the catalogue says; undefined for a model that it does not know. */
  entry: CatalogueModel | undefined;
  check: ModelCheck;
  /** Bytes on the disk. */
  bytes: number;
  speed: MeasuredSpeed | undefined;
}

/**
 * The models of this machine. Reading is synchronous and cheap: what is installed is known from the last scan, and a scan follows every
 * change, also one that another process makes (npm run models, another server on the same folder).
 */
export interface InstalledModels {
  /** Sorted by id. */
  all(): readonly InstalledModel[];
  find(id: string): InstalledModel | undefined;
  choices(): ModelChoices;
  /** Calls the listener after every change of models or choices. @returns a function that ends it */
  onChange(listener: () => void): () => void;
  /**
   * Marks a model as in use until the answer is disposed of: it is not removed meanwhile, by no process.
   * @throws Error when it is not installed (any more)
   */
  hold(id: string): Promise<AsyncDisposable>;
  /** Remembers how fast it was here. */
  noteSpeed(id: string, speed: MeasuredSpeed): Promise<void>;
}
