import { createStore, type Store } from "#src/browser/store.ts";
import type { PersistedUpload } from "./persisted-uploads.ts";

/** The browser does not have the file: it has to be chosen again. */
class MissingError extends Error {
  override readonly name = "MissingError";
  readonly code = "missing";
}

interface Beginning {
  /** null: not here. */
  file: File | null;
  kept: PersistedUpload | null;
  url: string | null;
}

/** What a machine does not hold of an upload: the file's bytes, where they go, and how many of them have left. */
export interface UploadSource {
  /** @throws MissingError */
  bytes(): File;
  /** As it is remembered over a reload. */
  readonly kept: PersistedUpload | null;
  /** Where the server has a part of it. */
  url: string | null;
  readonly sent: Store<number>;
  /** Whether it is this very file, as far as can be known from outside. */
  isOf(file: File): boolean;
  /** It was chosen again. */
  give(file: File): void;
}

export interface UploadSources {
  /** One that is not there (any more) has no bytes. */
  get(id: string): UploadSource;
  add(id: string, beginning: Beginning): void;
  remove(id: string): void;
}

export function createUploadSources(): UploadSources {
  const sources = new Map<string, UploadSource>();
  const nothing = source({ file: null, kept: null, url: null });
  return {
    get: (id) => sources.get(id) ?? nothing,
    add: (id, beginning) => void sources.set(id, source(beginning)),
    remove: (id) => void sources.delete(id),
  };
}

function source({ file, kept, url }: Beginning): UploadSource {
  let given = file;
  return {
    bytes: () => {
      if (given === null) throw new MissingError("The file has to be chosen again.");
      return given;
    },
    kept,
    url,
    sent: createStore(0),
    isOf: ({ name, size, lastModified }) => kept?.name === name && kept.size === size && kept.lastModified === lastModified,
    give: (chosen) => {
      given = chosen;
    },
  };
}
