import { noteChange } from "#server/db/changes.ts";
import type { Db } from "#server/db/open.ts";
import type { KeyStore, StoredKey } from "./signing-keys.ts";

/**
 * Signing keys in the database, for processes that share one. The keys are not encrypted: the encryption key would have
 * to be given to every process. An operator who needs that can set JWT_SECRET; then nothing is stored here.
 */
export function keysInDatabase(db: Db): KeyStore {
  return {
    makeFirst: async (key) => {
      // Only the first process can take position 1. After a rotation, position 1 may be free again.
      await db.transaction().execute(async (t) => {
        if ((await readKeys(t)).length === 0) await insertKeys(t, [key], 1);
      });
    },
    read: () => readKeys(db),
    version: async () => {
      const row = await db
        .selectFrom("signing_keys")
        .select(({ fn }) => [fn.max("position").as("last"), fn.countAll().as("count")])
        .executeTakeFirstOrThrow();
      return `${row.last} ${row.count}`;
    },
    change: (next) =>
      db.transaction().execute(async (t) => {
        const row = await t
          .selectFrom("signing_keys")
          .select(({ fn }) => fn.max("position").as("last"))
          .executeTakeFirstOrThrow();
        const keys = next(await readKeys(t));
        await t.deleteFrom("signing_keys").execute();
        await insertKeys(t, keys, Number(row.last ?? 0) + 1);
        noteChange(t, "keys.changed");
        return keys;
      }),
  };
}

async function readKeys(db: Db): Promise<StoredKey[]> {
  const rows = await db.selectFrom("signing_keys").select(["secret", "made_at"]).orderBy("position").execute();
  return rows.map(({ secret, made_at }) => ({ secret, madeAt: Number(made_at) }));
}

/** @param from the position of the first key: higher than all earlier ones, so that the version changes */
async function insertKeys(t: Db, keys: readonly StoredKey[], from: number): Promise<void> {
  const rows = keys.map(({ secret, madeAt }, index) => ({ position: from + index, secret, made_at: madeAt }));
  await t.insertInto("signing_keys").values(rows).execute();
}
