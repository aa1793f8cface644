import { type Context, Hono } from "hono";
import { type OpenedVaultLink, VaultLinkOpening } from "#contract/index.ts";
import type { DbParts } from "#server/db/open.ts";
import { readJson } from "#server/http/body.ts";
import type { TrustedProxies } from "#server/http/client-address.ts";
import { addressOf } from "#server/http/client-network.ts";
import type { AppEnv } from "#server/http/env.ts";
import { describes } from "#server/http/operations.ts";
import type { Origins } from "#server/http/origins.ts";
import { askAgain } from "#server/http/while-allowed.ts";
import type { AccessTokens } from "#server/session/access-tokens.ts";
import { isSecretOf } from "#server/session/secrets.ts";
import { sharedOpenLimit, type Throttle } from "#server/session/throttle.ts";
import { countView } from "#server/sharing/queries.ts";
import { viewEnd } from "#server/sharing/view.ts";
import { createGrants, linkNotFound, notIndexed } from "#server/sharing/visitors.ts";
import type { Storage } from "#server/storage/storage.ts";
import { createVaultFiles } from "./files.ts";
import { sendAgeFile } from "./item-routes.ts";
import { findWorkingVaultLink, sealedOf } from "./link-queries.ts";
import { vaultLinkOperations as operations } from "./operations.ts";

interface Parts extends DbParts {
  config: { trustProxy: TrustedProxies };
  origins: Origins;
  tokens: AccessTokens;
  throttle: Throttle;
  storage: Storage;
}

const path = "/api/v1/shared-recordings/:link";
/** The lock that grants are bound to. A grant of a link to a transcript opens nothing here. */
const grantLock = "vault";

/**
 * The API for visitors with a link to a recording in the vault: encrypted bytes, which only their browsers can read.
 */
export function sharedRecordingRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const { db, now } = deps;
  const files = createVaultFiles(deps.storage);
  const grants = createGrants(deps, "parlance_recording", path);
  /** Whether this browser has opened the link within some hours. */
  const isGranted = async (c: Context<AppEnv>, id: string) => (await grants.lockOf(c, id)) === grantLock;
  /** @throws Problem `notFound` */
  const workingLink = async (id: string) => {
    const link = await findWorkingVaultLink(db, id, now());
    if (link === undefined) throw linkNotFound();
    return link;
  };

  app.use("/api/v1/shared-recordings/*", notIndexed);

  app.post(`${path}/open`, describes(operations.open), async (c) => {
    const { secret } = await readJson(c, VaultLinkOpening);
    await deps.throttle.count(sharedOpenLimit, addressOf(c, deps.config.trustProxy));
    const id = c.req.param("link");
    const find = () => workingLink(id);
    const link = await find();
    if (!isSecretOf(secret, link.hash)) throw linkNotFound();
    askAgain(c, find);
    const sealed = await sealedOf(db, id);
    if (sealed === undefined) throw linkNotFound();
    // A visit counts once, however often the page is reloaded.
    if (!(await isGranted(c, id))) await countView(db, "vault_links", id);
    await grants.give(c, id, grantLock);
    return c.json({
      sealed,
      locked: link.locked === 1,
      size: link.audio === 1 ? link.size : null,
      expiresAt: viewEnd(link),
    } satisfies OpenedVaultLink);
  });

  app.get(`${path}/content`, describes(operations.content), async (c) => {
    const id = c.req.param("link");
    if (!(await isGranted(c, id))) throw linkNotFound();
    const find = () => workingLink(id);
    askAgain(c, find);
    const link = await find();
    const file = link.audio === 1 ? await files.content(link.item_id) : undefined;
    if (file === undefined) throw linkNotFound();
    return sendAgeFile(c, file, id);
  });
  return app;
}
