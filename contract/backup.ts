import * as v from "valibot";

/** What a backup is doing: copying the database, adding files, reading back and comparing. */
const backupPhases = ["database", "files", "checking"] as const;
export const BackupPhase = v.picklist(backupPhases);
export type BackupPhase = v.InferOutput<typeof BackupPhase>;

export const Backup = v.object({
  /** Of its file. */
  name: v.string(),
  /** The machine and the folder where it is. */
  host: v.string(),
  folder: v.string(),
  createdAt: v.string(),
  /** Bytes. */
  size: v.number(),
  isEncrypted: v.boolean(),
  /** When it was read back and compared; null: not that this server knows. */
  checkedAt: v.nullable(v.string()),
  /** What brings it back, to be run there. */
  command: v.string(),
});
export type Backup = v.InferOutput<typeof Backup>;

export const RunningBackup = v.object({
  host: v.string(),
  startedAt: v.string(),
  phase: BackupPhase,
  /** Rows of the database, bytes of the files, or bytes that were compared. */
  done: v.number(),
});
export type RunningBackup = v.InferOutput<typeof RunningBackup>;

/** GET /admin/backups: what there is, the newest first. */
export const AdminBackups = v.object({
  backups: v.array(Backup),
  running: v.nullable(RunningBackup),
  /** Why the last one failed, unless one was made since. */
  failure: v.nullable(v.object({ at: v.string(), message: v.string() })),
  /** When the next is made by itself; null: never. */
  nextAt: v.nullable(v.string()),
  /** How many are kept. */
  keep: v.number(),
  /** Where they are written. */
  folder: v.string(),
  isEncrypted: v.boolean(),
  /** Where the files are: in the data folder, in a bucket whose objects are in the backup, or in one that keeps them itself. */
  files: v.picklist(["folder", "bucket", "bucketKeepsThem"]),
});
export type AdminBackups = v.InferOutput<typeof AdminBackups>;

// POST /admin/backups: begins one, and answers 202 with the same, without waiting for its end. 409 `conflict` while one is made.
