import * as v from "valibot";
import { NoteDraft } from "#contract/index.ts";
import type { WrittenNote } from "#machines/notes/rules.ts";
import type { PageStorage } from "#src/browser/storage.ts";
import { stored } from "#src/browser/stored.ts";

const Written = v.object({
  ...NoteDraft.entries,
  id: v.pipe(v.string(), v.uuid()),
  revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

/** A user's unsaved note on a transcript. Persisted over reloads, and while other users are signed in. */
export const noteDraftOf = (ownerId: string, transcriptionId: string, storage?: PageStorage) =>
  stored<WrittenNote>(`draft:${ownerId}:note:${transcriptionId}`, Written, storage);
