import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type ErrorCode, type ExportFormat, exportFormats } from "#contract/index.ts";
import { largest } from "#contract/lists.ts";
import type { Db } from "#server/db/open.ts";
import { sentenceOf } from "#server/errors/problem.ts";
import { exportRow } from "#server/exports/export-row.ts";
import { cleanName } from "#server/http/file-name.ts";
import { isThere, replaceFile } from "#server/storage/files.ts";
import type { Threads } from "#server/threads/threads.ts";
import type { TranscriptionRow } from "#server/transcription/queries.ts";
import type { User } from "#server/users/tables.ts";
import { stemOf } from "./files.ts";

/** The formats written beside a recording. */
export const resultFormats = ["txt", "srt", "json"] as const satisfies readonly ExportFormat[];

interface Parts {
  db: Db;
  threads: Threads;
}

interface Wanted {
  row: TranscriptionRow;
  /** The recording. */
  path: string;
  /** File name of its results, without extension. */
  name: string;
  language: User["language"];
  formats?: readonly ExportFormat[];
}

/**
 * Writes the texts of a finished transcription beside its recording; each file is complete or missing.
 * @throws the file system's errors
 */
export async function writeResults(parts: Parts, { row, path, name, language, formats = resultFormats }: Wanted): Promise<void> {
  const content = row.target_language === null ? "original" : "both";
  for (const format of formats) {
    const { bytes } = await exportRow(parts, row, { format, content, language }, row.user_id);
    await writeWhole(join(dirname(path), `${name}.${format}`), bytes);
  }
  if (row.error_code === null) await rm(problemPath(path), { force: true });
  else await writeProblem(path, { code: row.error_code, message: row.error_message });
}

/** Writes beside a recording why its text is missing or incomplete. @throws the file system's errors */
export async function writeProblem(path: string, reason: { code: ErrorCode; message?: string | null }): Promise<void> {
  const sentence = reason.message ?? sentenceOf(reason.code);
  await writeWhole(problemPath(path), new TextEncoder().encode(`${cleanName(basename(path))}: ${sentence}\n`));
}

const problemPath = (path: string) => besideOf(path, ".problem.txt");

/** Longest file name on most file systems (bytes). */
const longestName = 255;
const longestEnding = largest(exportFormats.map((format) => format.length + 1));

/** A path with an extension; a name that would be too long is shortened. */
const besideOf = (path: string, ending: string) =>
  join(dirname(path), shortened(basename(path), longestName - ending.length) + ending);

/** A name of at most `room` bytes. A hash distinguishes shortened names. */
function shortened(name: string, room: number): string {
  if (Buffer.byteLength(name) <= room) return name;
  const mark = `~${createHash("sha256").update(name).digest("hex").slice(0, 8)}`;
  // A character cut within its bytes is dropped.
  const kept = Buffer.from(name)
    .subarray(0, room - mark.length)
    .toString()
    .replace(/\ufffd+$/, "");
  return kept + mark;
}

/**
 * A free name for the results of a recording: "talk" for "talk.mp3"; if that is taken, "talk.mp3", then "talk.mp3 (2)".
 */
export async function freeName(path: string): Promise<string> {
  const folder = dirname(path);
  const isFree = async (name: string) => {
    const taken = await Promise.all(exportFormats.map((format) => isThere(join(folder, `${name}.${format}`))));
    return taken.every((one) => !one);
  };
  for (let number = 0; ; number += 1) {
    const wanted = number === 0 ? stemOf(path) : `${basename(path)}${number === 1 ? "" : ` (${number})`}`;
    const name = shortened(wanted, longestName - longestEnding);
    if (await isFree(name)) return name;
  }
}

/** Readers see either the old file or the complete new one. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const part = besideOf(path, ".part");
  // Left by a server that was killed.
  await rm(part, { force: true });
  await replaceFile(path, part, bytes, 0o666);
}
