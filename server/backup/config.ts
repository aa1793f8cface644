/** The settings of backups (server/config/operations.ts). */
export interface BackupConfig {
  /** A cron expression in UTC; undefined: no backups by themselves. */
  schedule: string | undefined;
  keep: number;
  /** Absolute path. */
  dir: string;
  /** age's public key; undefined: not encrypted. */
  recipient: string | undefined;
  /** Whether a bucket keeps its objects itself, so that a backup has only their list. */
  bucketKeepsFiles: boolean;
}
