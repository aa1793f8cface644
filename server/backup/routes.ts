import { Hono } from "hono";
import type { AdminBackups } from "#contract/index.ts";
import { audit } from "#server/admin/audit.ts";
import type { AppEnv } from "#server/http/env.ts";
import { type AdminParts, requireSuperuser } from "#server/session/require-user.ts";
import { adminActionLimit, type Throttle } from "#server/session/throttle.ts";
import type { BackupConfig } from "./config.ts";
import type { Backups } from "./schedule.ts";
import { viewBackups } from "./view.ts";

interface Parts extends AdminParts {
  config: { backup: BackupConfig; bucket: object | undefined };
  throttle: Throttle;
  backups: Backups;
}

/** Backups, for superusers: which there are, and one more now. Bringing one back takes the command line. */
export function adminBackupRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const superuser = requireSuperuser(deps);

  app.get("/admin/backups", superuser, async (c) => c.json((await viewBackups(deps)) satisfies AdminBackups));

  app.post("/admin/backups", superuser, async (c) => {
    await deps.throttle.count(adminActionLimit, c.var.user.id);
    const { db, now } = deps;
    const reason = await deps.backups.begin();
    await audit(db, { at: now(), action: "makeBackup", actor: c.var.user, user: null, before: {}, after: {}, reason });
    return c.json((await viewBackups(deps)) satisfies AdminBackups, 202);
  });
  return app;
}
