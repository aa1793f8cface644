import { type Bus, createLocalBus } from "#server/bus/bus.ts";
import { listenToChanges } from "#server/db/changes.ts";
import type { DbParts } from "#server/db/open.ts";
import type { Log } from "#server/log/log.ts";
import { type Claims, createLocalClaims } from "./claims.ts";
import { createLocalLocks, type Locks } from "./locks.ts";

/** The shared parts of an installation's processes, besides the database and the files. */
export interface Cluster {
  bus: Bus;
  locks: Locks;
  claims: Claims;
}

interface Parts extends DbParts {
  config: { databaseUrl: string | undefined };
  log: Log;
}

/**
 * Local to this process, unless other processes may use the database.
 * @throws if the database can't be reached
 */
export async function openCluster({ config, db, now, log }: Parts, cleanup: AsyncDisposableStack): Promise<Cluster> {
  if (config.databaseUrl === undefined) {
    const local = createLocalBus(log);
    cleanup.defer(listenToChanges(db, ({ topic, message }) => local.publish(topic, message)));
    return { bus: local, locks: createLocalLocks(), claims: createLocalClaims() };
  }
  // Loaded only where it is used: it takes part of the time to start.
  const { openPostgresBus } = await import("./postgres-bus.ts");
  const { createPostgresLocks } = await import("./postgres-locks.ts");
  const { openDatabaseClaims } = await import("./database-claims.ts");
  const bus = await openPostgresBus(config.databaseUrl, log);
  cleanup.defer(() => bus.close());
  cleanup.defer(listenToChanges(db, ({ topic, message }) => bus.publish(topic, message)));
  const locks = createPostgresLocks(bus);
  cleanup.defer(() => locks.close());
  const claims = await openDatabaseClaims({ db, now, log });
  cleanup.defer(() => claims.close());
  return { bus, locks, claims };
}
