import type { Db } from "#server/db/open.ts";
import type { KeyStore, StoredKey } from "./signing-keys.ts";

/** There is one. */
const id = "first";

/**
 * The key that encrypts secrets, in the same database: for processes that share one. It is stored as it is, as signing keys are
 * (key-queries.ts); with SECOND_FACTOR_KEY nothing is stored here.
 */
export function sealingKeysInDatabase(db: Db): Pick<KeyStore, "makeFirst" | "read"> {
  return {
    makeFirst: async ({ secret, madeAt }) => {
      const row = { id, secret, made_at: madeAt };
      await db
        .insertInto("sealing_keys")
        .values(row)
        .onConflict((conflict) => conflict.column("id").doNothing())
        .execute();
    },
    read: async (): Promise<StoredKey[]> => {
      const rows = await db.selectFrom("sealing_keys").select(["secret", "made_at"]).execute();
      return rows.map(({ secret, made_at }) => ({ secret, madeAt: Number(made_at) }));
    },
  };
}
