import * as v from "valibot";
import { storage } from "#src/browser/storage.ts";
import { currentUserId } from "#src/features/session/actor.ts";

const Config = v.object({ title: v.string(), vocabulary: v.string(), speakers: v.boolean() });
/** What somebody has filled in beside the languages for the files that come next. */
export type UploadConfig = v.InferOutput<typeof Config>;

const empty: UploadConfig = { title: "", vocabulary: "", speakers: false };
const keyOf = () => `draft:${currentUserId() ?? ""}:upload-config`;

/** As it was left, also before a reload. */
export function uploadConfig(): UploadConfig {
  const kept = v.safeParse(v.pipe(v.string(), v.parseJson(), Config), storage.read(keyOf()));
  return kept.success ? kept.output : empty;
}

/** The title belongs to one file; the rest is likely to be wanted again. */
export function rememberConfig(config: UploadConfig): void {
  storage.write(keyOf(), JSON.stringify(config));
}
