import * as v from "valibot";
import { SpeakerCount } from "#contract/index.ts";
import { storage } from "#src/browser/storage.ts";
import { currentUserId } from "#src/features/session/actor.ts";

const Config = v.object({
  title: v.string(),
  vocabulary: v.string(),
  speakers: v.boolean(),
  /** How many there are; absent: it is found out. */
  speakerCount: v.optional(SpeakerCount),
});
/** A person's options, besides the languages, for the next files. */
export type UploadConfig = v.InferOutput<typeof Config>;

const empty: UploadConfig = { title: "", vocabulary: "", speakers: false };
const keyOf = () => `draft:${currentUserId() ?? ""}:upload-config`;

/** The last options, persisted over reloads. */
export function uploadConfig(): UploadConfig {
  const kept = v.safeParse(v.pipe(v.string(), v.parseJson(), Config), storage.read(keyOf()));
  return kept.success ? kept.output : empty;
}

/** The title belongs to one file; the other options are kept. */
export function rememberConfig(config: UploadConfig): void {
  storage.write(keyOf(), JSON.stringify(config));
}
