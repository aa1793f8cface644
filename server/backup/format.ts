import { join, relative, sep } from "node:path";
import * as v from "valibot";

/**
 * A backup is a tar archive, compressed with zstd and, with a recipient, encrypted with age: `manifest.json`,
 * `parlance.db`, the files of the data folder as `files/…`, the objects of the bucket as `bucket/…` or their list, and
 * at the end `SHA256SUMS` of all earlier entries, in the format of sha256sum -c. The database is always an SQLite file.
 */
export const Manifest = v.object({
  /** 2: not of an embedded installation with its files in the data folder, which older releases can restore. */
  format: v.picklist([1, 2]),
  version: v.string(),
  /** ISO 8601, UTC. */
  createdAt: v.string(),
  /** The kind of the database. */
  database: v.optional(v.picklist(["sqlite", "postgres"]), "sqlite"),
  /**
   * The place of the files: the data folder; a bucket, whose objects are in the backup; or a bucket that keeps its own
   * versions.
   */
  files: v.optional(v.picklist(["folder", "bucket", "bucketKeepsThem"]), "folder"),
});
export type Manifest = v.InferOutput<typeof Manifest>;

export const manifestName = "manifest.json";
export const databaseName = "parlance.db";
export const filesPrefix = "files/";
export const bucketPrefix = "bucket/";
/** The objects of a bucket that keeps them itself: a line for each, with its size in bytes, a tab and its key. */
export const objectsName = "objects.tsv";
export const sumsName = "SHA256SUMS";

/**
 * The permanent folders of a bucket. Incomplete uploads (multipart uploads and their descriptions) start again after a
 * restore.
 */
const bucketFolders = ["audio/", "avatars/", "blog-images/", "live/", "vault/"];

/** Whether an object belongs to a backup. @param key without the prefix */
export function isObject(key: string): boolean {
  return bucketFolders.some((folder) => key.startsWith(folder)) && !/\/original\.(info|part)$|\/content\.(info|part)$/.test(key);
}

/** The folder for the previous data of restores, within the data folder. */
export const pointsFolder = "restore-points";
/** Says that a restore is under way, or was cut off. */
export const journalName = ".restore.json";
export const stagingName = ".restore-new";

/**
 * Entries of the data folder that a backup leaves out: data that can be created again (models, decoded audio, incoming
 * files), and entries that are not its data.
 */
const leftOut = new Set(["models", "jobs", "incoming", pointsFolder, journalName, stagingName]);

/** Whether an entry of the data folder belongs to the files of a backup. @param backupDir absolute */
export function isFile(dataDir: string, name: string, backupDir: string): boolean {
  return (
    !leftOut.has(name) && !/^parlance\.db/.test(name) && !name.startsWith(".ready-") && !holds(join(dataDir, name), backupDir)
  );
}

/** Whether a restore replaces an entry of the data folder. */
export function isReplaced(dataDir: string, name: string, backupDir: string): boolean {
  return (
    name !== "models" &&
    name !== pointsFolder &&
    name !== journalName &&
    name !== stagingName &&
    !holds(join(dataDir, name), backupDir)
  );
}

function holds(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !way.startsWith(sep));
}

const namePattern = /^parlance-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z\.tar\.zst(\.age)?$/;

/** @param at epoch ms @returns "parlance-2026-03-01T12-00-00Z.tar.zst" */
export function backupName(at: number, isEncrypted: boolean): string {
  return `parlance-${new Date(at).toISOString().slice(0, 19).replaceAll(":", "-")}Z.tar.zst${isEncrypted ? ".age" : ""}`;
}

/** When a backup of this name was started (epoch ms); undefined for other names. */
export function backupTime(name: string): number | undefined {
  const [, day, hours, minutes, seconds] = namePattern.exec(name) ?? [];
  return day === undefined ? undefined : Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
}
