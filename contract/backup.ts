import * as v from "valibot";

/** The phases of a backup: copying the database, adding files, reading back and comparing. */
const backupPhases = ["database", "files", "checking"] as const;
export const BackupPhase = v.picklist(backupPhases);
export type BackupPhase = v.InferOutput<typeof BackupPhase>;

export const Backup = v.object({
  /** Name of its file. */
  name: v.string(),
  /** The machine and the folder that contain it. */
  host: v.string(),
  folder: v.string(),
  createdAt: v.string(),
  /** Size in bytes. */
  size: v.number(),
  isEncrypted: v.boolean(),
  /** When it was last read back and compared; null: never, as far as this server knows. */
  checkedAt: v.nullable(v.string()),
  /** The command that restores it, to be run on that machine. */
  command: v.string(),
});
export type Backup = v.InferOutput<typeof Backup>;

export const RunningBackup = v.object({
  host: v.string(),
  startedAt: v.string(),
  phase: BackupPhase,
  /** Rows of the database, bytes of the files, or bytes compared. */
  done: v.number(),
});
export type RunningBackup = v.InferOutput<typeof RunningBackup>;

/** GET /admin/backups: the existing backups, the newest first. */
export const AdminBackups = v.object({
  backups: v.array(Backup),
  running: v.nullable(RunningBackup),
  /** Why the last backup failed; null once a later one has succeeded. */
  failure: v.nullable(v.object({ at: v.string(), message: v.string() })),
  /** When the next automatic backup starts; null: never. */
  nextAt: v.nullable(v.string()),
  /** Number of backups kept. */
  keep: v.number(),
  /** The folder for new backups. */
  folder: v.string(),
  isEncrypted: v.boolean(),
  /**
   * The place of the files: in the data folder, in a bucket whose objects are in the backup, or in a bucket that is not
   * backed up here.
   */
  files: v.picklist(["folder", "bucket", "bucketKeepsThem"]),
});
export type AdminBackups = v.InferOutput<typeof AdminBackups>;

// POST /admin/backups: starts a backup, and answers 202 with the same body, without waiting for its end. 409 `conflict`
// while one is in progress.
