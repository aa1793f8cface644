import { AdminBackups } from "#contract/index.ts";
import type { Call } from "./http.ts";

/** The calls about backups. All of them throw ApiError. */
export function createAdminBackupsApi(call: Call) {
  return {
    backups: (signal?: AbortSignal) => call("/admin/backups", { schema: AdminBackups, signal }),
    /** Resolves when the backup has started. */
    begin: (signal?: AbortSignal) => call("/admin/backups", { method: "POST", schema: AdminBackups, signal }),
  };
}
