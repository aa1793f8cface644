import * as v from "valibot";
import { OtherText, Regroup, Span, WordMark } from "#contract/index.ts";
import type { PersistedDraft } from "#machines/transcription/changes.ts";
import type { PageStorage } from "#src/browser/storage.ts";
import { stored } from "#src/browser/stored.ts";

const Segments = v.pipe(v.string(), v.regex(/^\d+$/));
const Draft = v.object({
  title: v.exactOptional(v.string()),
  text: v.exactOptional(v.string()),
  edits: v.record(Segments, v.string()),
  bases: v.exactOptional(v.record(Segments, v.string())),
  textBase: v.exactOptional(v.string()),
  others: v.exactOptional(v.record(v.string(), v.object({ index: v.number(), other: OtherText, present: v.boolean() }))),
  speakers: v.exactOptional(v.record(Segments, v.nullable(v.string()))),
  translations: v.exactOptional(v.record(Segments, v.string())),
  typing: v.exactOptional(v.record(v.string(), v.string())),
  begun: v.exactOptional(v.record(v.string(), v.string())),
  words: v.exactOptional(v.record(v.string(), WordMark)),
  regroups: v.exactOptional(v.array(Regroup)),
  spans: v.exactOptional(v.record(Segments, Span)),
  fields: v.exactOptional(v.record(Segments, Span)),
});

/** A user's unsaved edits of one transcription. Persisted over reloads, and while other users are signed in. */
export const draftsOf = (ownerId: string, transcriptionId: string, storage?: PageStorage) =>
  stored<PersistedDraft>(`draft:${ownerId}:transcription:${transcriptionId}`, Draft, storage);
