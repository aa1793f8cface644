import type { Db } from "#server/db/open.ts";
import type { KeyStore, StoredKey } from "./signing-keys.ts";

/** The table has a single row. */
const id = "first";

/**
 * The key that encrypts secrets, for processes that share a database. The key itself is not encrypted, like the signing
 * keys (key-queries.ts). With SECOND_FACTOR_KEY nothing is stored here.
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
