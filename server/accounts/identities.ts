import { randomUUID } from "node:crypto";
import type { Db } from "../db/open.ts";
import { Problem } from "../problem.ts";
import type { Identity } from "./provider.ts";
import { findUserByEmail, type User } from "./users.ts";

/** The account that a provider's account opens. */
export function findUserByIdentity(db: Db, { issuer, subject }: Pick<Identity, "issuer" | "subject">): Promise<User | undefined> {
  return db
    .selectFrom("identities")
    .innerJoin("users", "users.id", "identities.user_id")
    .selectAll("users")
    .where("identities.issuer", "=", issuer)
    .where("identities.subject", "=", subject)
    .executeTakeFirst();
}

/**
 * The account for somebody who comes from the provider for the first time: a new one without a password, or the one that has their
 * e-mail, if both sides know that the address is theirs. Otherwise whoever registers somebody else's address, here or there, would
 * get into what that person keeps under it.
 * @param at epoch ms
 * @throws Problem `accountExists`; `providerFailed` when the provider tells no e-mail
 */
export function adoptIdentity(db: Db, identity: Identity, at: number): Promise<User> {
  return db.transaction().execute(async (t) => {
    // Another window of the same person may have been faster.
    const known = await findUserByIdentity(t, identity);
    if (known !== undefined) return known;
    if (identity.email === undefined) throw new Problem("providerFailed");
    const owner = await findUserByEmail(t, identity.email);
    if (owner !== undefined && !(identity.emailVerified && owner.email_verified === 1)) throw new Problem("accountExists");
    const user = owner ?? (await addUser(t, { ...identity, email: identity.email }, at));
    const { issuer, subject } = identity;
    await t.insertInto("identities").values({ issuer, subject, user_id: user.id, created_at: at }).execute();
    return user;
  });
}

async function addUser(t: Db, { email, emailVerified, name }: Identity & { email: string }, at: number): Promise<User> {
  const user: User = {
    id: randomUUID(),
    email,
    name,
    password_hash: "",
    email_verified: emailVerified ? 1 : 0,
    is_superuser: 0,
    plan_type: "free",
    revision: 0,
    language: "en",
    avatar: null,
    created_at: at,
  };
  await t.insertInto("users").values(user).execute();
  return user;
}
