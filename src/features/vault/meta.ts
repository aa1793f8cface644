import * as v from "valibot";
import { Transcription } from "#contract/index.ts";

/** A recording's metadata in the vault. Encrypted like the audio. */
export const VaultMeta = v.object({
  version: v.literal(1),
  name: v.string(),
  /** ISO 8601, UTC. */
  recordedAt: v.string(),
  durationSeconds: v.nullable(v.number()),
  /** The audio's content type. */
  type: v.string(),
});
export type VaultMeta = v.InferOutput<typeof VaultMeta>;

const Meta = v.pipe(v.string(), v.parseJson(), VaultMeta);
const Text = v.pipe(v.string(), v.parseJson(), Transcription);

/** @returns undefined when another version has written it */
export function parseMeta(text: string): VaultMeta | undefined {
  const meta = v.safeParse(Meta, text);
  return meta.success ? meta.output : undefined;
}

/** @throws ValiError when it is malformed */
export const parseText = (text: string): Transcription => v.parse(Text, text);

/** Characters. Longer names do not fit beside the other metadata. */
export const longestName = 200;

const endings: Readonly<Record<string, string>> = {
  "audio/webm": "webm",
  "video/webm": "webm",
  "audio/mp4": "m4a",
  "video/mp4": "mp4",
  "audio/mpeg": "mp3",
  "audio/ogg": "ogg",
  "audio/flac": "flac",
  "audio/wav": "wav",
  "audio/x-wav": "wav",
};

/** The name of the exported file, without characters that file systems reject. */
export function fileNameOf({ name, type }: Pick<VaultMeta, "name" | "type">): string {
  const plain = name.replace(/[\s\p{C}\\/:*?"<>|]+/gu, " ").trim() || "recording";
  const ending = endings[type.split(";")[0]?.trim() ?? ""];
  return ending === undefined || plain.toLowerCase().endsWith(`.${ending}`) ? plain : `${plain}.${ending}`;
}
