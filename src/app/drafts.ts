import * as v from "valibot";
import type { Draft } from "../../machines/transcription-changes.ts";
import { storage } from "./storage.ts";

const Kept = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    title: v.exactOptional(v.string()),
    text: v.exactOptional(v.string()),
    edits: v.record(v.pipe(v.string(), v.regex(/^\d+$/)), v.string()),
  }),
);

/** What somebody typed in one transcription and is not saved yet: it survives a reload, and whoever else signs in here. */
export function draftsOf(ownerId: string, transcriptionId: string) {
  const key = `draft:${ownerId}:transcription:${transcriptionId}`;
  return {
    /** null when there is none. */
    read(): Draft | null {
      const kept = v.safeParse(Kept, storage.read(key));
      return kept.success ? kept.output : null;
    },
    /** null when all is saved. */
    keep(draft: Draft | null): void {
      if (draft === null) storage.remove(key);
      else storage.write(key, JSON.stringify(draft));
    },
  };
}
