import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { adminBackupsMachine } from "#machines/admin/backups.ts";
import { createAdminBackupsApi } from "#src/api/backup.ts";
import { inspected } from "#src/browser/inspection.ts";
import { perVisit } from "#src/browser/per-visit.ts";
import { toast } from "#src/browser/toasts.ts";
import { call } from "#src/features/session/api.ts";

const api = createAdminBackupsApi(call);

const machine = adminBackupsMachine.provide({
  actors: {
    fetchBackups: fromPromise(({ signal }) => api.backups(signal)),
    begin: fromPromise(({ signal }) => api.begin(signal)),
  },
});
export type Backups = ActorRefFrom<typeof machine>;

/** One actor until the user leaves the section. */
export const { open: openBackups, close: closeBackups } = perVisit(() => {
  const actor = createActor(machine, inspected());
  actor.on("backup.made", () => toast({ kind: "success", key: "admin:backups.made" }));
  actor.on("backup.failed", () => toast({ kind: "error", key: "admin:backups.notMade" }));
  return actor.start();
});
