import { AdminBackups } from "#contract/index.ts";
import type { Call } from "./http.ts";

/** Backups. All of it throws ApiError. */
export function createAdminBackupsApi(call: Call) {
  return {
    backups: (signal?: AbortSignal) => call("/admin/backups", { schema: AdminBackups, signal }),
    /** Resolves when it has begun. */
    begin: (signal?: AbortSignal) => call("/admin/backups", { method: "POST", schema: AdminBackups, signal }),
  };
}
