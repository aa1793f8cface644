import { idOf } from "#src/api/uploads.ts";
import { createStore, type Store } from "#src/browser/store.ts";
import type { PersistedUpload } from "./persisted-uploads.ts";

/** The browser does not have the file, so the user must choose it again. */
class MissingError extends Error {
  override readonly name = "MissingError";
  readonly code = "missing";
}

interface Beginning {
  /** null: the browser does not have the file. */
  file: File | null;
  kept: PersistedUpload | null;
  url: string | null;
}

/** An upload's data outside of the machine: the file, its upload URL, and the bytes sent. */
interface UploadSource {
  /** @throws MissingError */
  bytes(): File;
  /** The data persisted over a reload. */
  readonly kept: PersistedUpload | null;
  /** The URL of the partial upload. */
  url: string | null;
  /** The id of its transcription, existing or future; null until the server has assigned it. */
  readonly transcriptionId: string | null;
  readonly sent: Store<number>;
  /** Whether it is the same file, judged by its metadata. */
  isOf(file: File): boolean;
  /** Sets the file after the user has chosen it again. */
  give(file: File): void;
}

export interface UploadSources {
  /** Returns a source even for a missing file, which has no bytes. */
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
  let known = url;
  let lastUrl = url;
  return {
    bytes: () => {
      if (given === null) throw new MissingError("The file has to be chosen again.");
      return given;
    },
    kept,
    get url() {
      return known;
    },
    set url(next) {
      known = next;
      lastUrl = next ?? lastUrl;
    },
    get transcriptionId() {
      return lastUrl === null ? null : idOf(lastUrl);
    },
    sent: createStore(0),
    isOf: ({ name, size, lastModified }) => kept?.name === name && kept.size === size && kept.lastModified === lastModified,
    give: (chosen) => {
      given = chosen;
    },
  };
}
