import { type Context, Hono } from "hono";
import { NewVault, NewVaultItem, type VaultAnswer, VaultChange, vaultLimits } from "#contract/index.ts";
import type { Locks } from "#server/cluster/locks.ts";
import { emptyLog } from "#server/db/checkpoint.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { Concurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Worker } from "#server/jobs/worker.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import type { Storage } from "#server/storage/storage.ts";
import { createVaultFiles } from "./files.ts";
import { vaultItemRoutes } from "./item-routes.ts";
import { beginVaultItem, findVault, insertVault, listVaultItems, removeVault, resealVault } from "./queries.ts";
import { requireSubscription } from "./subscription.ts";
import { itemView, vaultView } from "./view.ts";

interface Parts extends SignInParts {
  locks: Locks;
  config: { dataDir: string; maxUploadBytes: number };
  storage: Storage;
  worker: Worker;
  concurrency: Concurrency;
}

const base = "/api/v1/encrypted-audio";

/**
 * Encrypted audio (DESIGN.md section 5): the server stores age files that it can't read. Adding items needs a
 * subscription; reading, exporting, deleting and changing the passphrase don't.
 */
export function encryptedAudioRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const { db, now } = deps;
  const files = createVaultFiles(deps.storage);
  const signedIn = requireUser(deps);
  const subscribed = requireSubscription(deps);
  const owner = (c: Context<AppEnv>) => c.var.user.id;

  app.get(base, signedIn, async (c) => {
    const vault = await findVault(db, owner(c));
    const items = await listVaultItems(db, owner(c));
    return c.json({ vault: vault === undefined ? null : vaultView(vault), items: items.map(itemView) } satisfies VaultAnswer);
  });

  app.post(`${base}/vault`, signedIn, subscribed, async (c) => {
    const { recipient, sealed, recoverySealed } = await readJson(c, NewVault);
    const row = { user_id: owner(c), recipient, sealed, recovery_sealed: recoverySealed, created_at: now() };
    const vault = await insertVault(db, row);
    if (vault === undefined) throw new Problem("conflict", "You already have a vault.");
    return c.json(vaultView(vault), 201);
  });

  app.put(`${base}/vault`, signedIn, async (c) => {
    const { sealed, revision } = await readJson(c, VaultChange);
    if ((await findVault(db, owner(c))) === undefined) throw new Problem("notFound", "You have no vault.");
    const vault = await resealVault(db, owner(c), sealed, revision);
    if (vault === undefined) throw new Problem("conflict", "The passphrase was changed elsewhere in the meantime.");
    // Removes everything that the old passphrase decrypts.
    await emptyLog(db);
    return c.json(vaultView(vault));
  });

  app.delete(`${base}/vault`, signedIn, async (c) => {
    for (const id of await removeVault(db, owner(c))) await files.remove(id);
    await emptyLog(db);
    return c.body(null, 204);
  });

  app.post(base, signedIn, subscribed, async (c) => {
    const { clientId, size, transcriptionId, meta } = await readJson(c, NewVaultItem);
    if (size > largestFile(deps)) throw new Problem("tooLarge");
    if ((await findVault(db, owner(c))) === undefined) throw new Problem("conflict", "You have no vault yet.");
    const item = { userId: owner(c), clientId, transcriptionId, meta, size };
    const row = await beginVaultItem(db, item, now(), vaultLimits.items);
    if (row === undefined) throw new Problem("storageFull", `A vault holds at most ${vaultLimits.items} recordings.`);
    return c.json(itemView(row), 201);
  });

  app.route(base, vaultItemRoutes(deps, { files, signedIn, subscribed }));
  return app;
}

/** Limit of an age file, which is larger than its content: 16 bytes per 64 KiB, and its header. */
function largestFile({ config }: { config: { dataDir: string; maxUploadBytes: number } }): number {
  return config.maxUploadBytes + Math.ceil(config.maxUploadBytes / 65_536) * 16 + 4096;
}
