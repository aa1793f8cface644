import { join } from "node:path";

/** Allowed names of a model's folder: no separators, no parent folders, not hidden. */
export const folderName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** The folders of the models, in the data folder. Names that begin with a dot are no models. */
export interface ModelFolders {
  /** Contains one folder per model. */
  readonly root: string;
  readonly choices: string;
  /** Downloads that are not finished, a folder per model. */
  readonly downloads: string;
  /** The uses of models: a folder per model, a file per use. */
  readonly holds: string;
  /** The installations of models, in the form of `holds`. */
  readonly installing: string;
  /** A file per model: how fast it was here. */
  readonly speeds: string;
}

/** @param dataDir absolute */
export function modelFolders(dataDir: string): ModelFolders {
  const root = join(dataDir, "models");
  return {
    root,
    choices: join(root, "choices.json"),
    downloads: join(root, ".downloads"),
    holds: join(root, ".holds"),
    installing: join(root, ".installing"),
    speeds: join(root, ".speeds"),
  };
}
