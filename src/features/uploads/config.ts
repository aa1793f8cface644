import * as v from "valibot";
import { SpeakerCount } from "#contract/index.ts";
import type { Details } from "#machines/uploads/config.ts";
import { storage } from "#src/browser/storage.ts";
import { currentUserId } from "#src/features/session/actor.ts";

const Config = v.object({
  title: v.string(),
  vocabulary: v.string(),
  speakers: v.boolean(),
  /** How many there are; absent: it is found out. */
  speakerCount: v.optional(SpeakerCount),
});

const empty: Details = { title: "", vocabulary: "", speakers: false };
const keyOf = () => `draft:${currentUserId() ?? ""}:upload-config`;

/** The last options besides the languages, persisted over reloads. */
export function keptDetails(): Details {
  const kept = v.safeParse(v.pipe(v.string(), v.parseJson(), Config), storage.read(keyOf()));
  return kept.success ? kept.output : empty;
}

/** The title belongs to one file; the other options are kept. */
export function rememberDetails({ title, vocabulary, speakers, speakerCount }: Details): void {
  storage.write(keyOf(), JSON.stringify({ title, vocabulary, speakers, speakerCount }));
}
