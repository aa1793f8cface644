import * as v from "valibot";
import { NoteDraft } from "#contract/index.ts";
import type { WrittenNote } from "#machines/notes/rules.ts";
import { type PageStorage, storage as pageStorage } from "#src/browser/storage.ts";

const Stored = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ ...NoteDraft.entries, id: v.pipe(v.string(), v.uuid()), revision: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
);

/** The note that a person is writing about a transcript: persisted over reloads, and while others are signed in. */
export function noteDraftOf(ownerId: string, transcriptionId: string, storage: PageStorage = pageStorage) {
  const key = `draft:${ownerId}:note:${transcriptionId}`;
  return {
    /** null when there is none. */
    read(): WrittenNote | null {
      const persisted = v.safeParse(Stored, storage.read(key));
      return persisted.success ? persisted.output : null;
    },
    /** null when it is saved, or given up. */
    keep(draft: WrittenNote | null): void {
      if (draft === null) storage.remove(key);
      else storage.write(key, JSON.stringify(draft));
    },
  };
}
