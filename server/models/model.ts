import type { MeasuredSpeed, ModelCheck, ModelChoices, ModelKind, ModelPurpose } from "#contract/index.ts";
import type { CatalogueModel } from "./catalogue.ts";

/** A model that is whole, has been tried (unless it was unpacked by hand), and may be loaded. */
export interface InstalledModel {
  /** The name of the model and of its folder. */
  id: string;
  /** Absolute. */
  folder: string;
  purpose: ModelPurpose;
  kind: ModelKind;
  /** Base codes ("de"); empty: no language, or not known. */
  languages: readonly string[];
  /** Its entry in the catalogue; undefined for an unknown model. */
  entry: CatalogueModel | undefined;
  check: ModelCheck;
  /** Bytes on the disk. */
  bytes: number;
  speed: MeasuredSpeed | undefined;
}

/**
 * The models of this machine. Reading is synchronous and cheap, because it uses the last scan. A scan follows every
 * change, including one by another process (npm run models, another server on the same folder).
 */
export interface InstalledModels {
  /** Sorted by id. */
  all(): readonly InstalledModel[];
  find(id: string): InstalledModel | undefined;
  choices(): ModelChoices;
  /** Calls the listener after every change of models or choices. @returns a function that ends it */
  onChange(listener: () => void): () => void;
  /**
   * Marks a model as in use until the result is disposed: no process removes it in that time.
   * @throws Error if it is not installed (any more)
   */
  hold(id: string): Promise<AsyncDisposable>;
  /** Remembers how fast it was here. */
  noteSpeed(id: string, speed: MeasuredSpeed): Promise<void>;
}
