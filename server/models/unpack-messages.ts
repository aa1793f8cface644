import * as v from "valibot";
import { installationFailures } from "#contract/index.ts";

// The messages between a server and its unpacking process (unpack-program.ts).

const Content = v.object({ name: v.string(), bytes: v.optional(v.number()), sha256: v.optional(v.string()) });

export const UnpackTask = v.object({
  /** The target: an existing empty folder. */
  staging: v.string(),
  /** An archive: .tar, .tar.gz or .tar.bz2, by what its bytes are. */
  archive: v.nullable(v.string()),
  /** Single files: where they are, and what they are called in the model; ".gz" is taken off. */
  files: v.array(v.object({ path: v.string(), target: v.string(), isCompressed: v.boolean() })),
  /** Patterns of the files to keep from the archive; null: all except audio. */
  keep: v.nullable(v.array(v.string())),
  /** The files that the model must have, with size and hash. */
  contents: v.array(Content),
  limits: v.object({
    /** Files and folders. */
    entries: v.number(),
    /** The maximum bytes to which the archive may unpack, kept or not. */
    unpackedBytes: v.number(),
    /** The maximum kept bytes. */
    keptBytes: v.number(),
  }),
});
export type UnpackTask = v.InferOutput<typeof UnpackTask>;

export const UnpackAnswer = v.variant("type", [
  /** Bytes read of the archive or the files. */
  v.object({ type: v.literal("progress"), done: v.number() }),
  v.object({
    type: v.literal("unpacked"),
    /** The folder within `staging` that is the model: the archive's own, or `staging` itself. */
    folder: v.string(),
    /** Paths in it, with "/", and bytes. */
    files: v.array(v.object({ path: v.string(), bytes: v.number() })),
    /** Every content had a hash, and has it. */
    isPinned: v.boolean(),
  }),
  v.object({ type: v.literal("failed"), failure: v.picklist(installationFailures), detail: v.string() }),
]);
export type UnpackAnswer = v.InferOutput<typeof UnpackAnswer>;

/** Whether a path matches a pattern, in which "*" stands for anything, "/" included. */
export function matches(path: string, pattern: string): boolean {
  const source = pattern
    .split("*")
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${source}$`).test(path);
}

/** Recordings and programs that come with many archives are no part of a model. */
export const isWanted = (path: string, keep: readonly string[] | null): boolean =>
  keep === null ? !/(^|\/)test_wavs\/|\.(wav|py|sh)$|(^|\/)\._/.test(path) : keep.some((pattern) => matches(path, pattern));

/**
 * The parts of an entry's path, made safe to join.
 * @returns undefined for a path that leads out of the folder, or means something else to another system
 */
export function safePath(name: string): string[] | undefined {
  if (name.startsWith("/") || /[\\\p{Cc}]|^[A-Za-z]:/u.test(name) || name.length > 1_000) return undefined;
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  return parts.includes("..") || parts.length === 0 || parts.length > 8 || parts.some((part) => part.length > 255)
    ? undefined
    : parts;
}
