import type { Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { SignInTable } from "./tables.ts";

/** Most sign-ins kept for one account: a program that signs in again and again must not fill the disk. */
const maxSignIns = 200;

/**
 * Stores a sign-in, and deletes its account's oldest ones above the limit. @param signIn with its session's id; `at` in
 * epoch ms
 */
export async function insertSignIn(t: Db, signIn: SignInTable): Promise<void> {
  await t.insertInto("sign_ins").values(signIn).execute();
  const latest = t.selectFrom("sign_ins").select("at").where("user_id", "=", signIn.user_id).orderBy("at", "desc");
  const last = await latest
    .offset(maxSignIns - 1)
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return;
  await t.deleteFrom("sign_ins").where("user_id", "=", signIn.user_id).where("at", "<", last.at).execute();
}

/** A user's sign-ins, the latest first. */
export function listSignIns(db: Db, userId: string, most = maxSignIns): Promise<Selectable<SignInTable>[]> {
  const own = db.selectFrom("sign_ins").selectAll().where("user_id", "=", userId);
  return own.orderBy("at", "desc").orderBy("id").limit(most).execute();
}

/** @param by epoch ms */
export async function deleteSignInsBy(db: Db, by: number): Promise<void> {
  await db.deleteFrom("sign_ins").where("at", "<=", by).execute();
}
