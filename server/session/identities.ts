import { randomUUID } from "node:crypto";
import { Problem } from "#server/common/problem.ts";
import type { Db } from "#server/db/open.ts";
import type { User } from "#server/db/schema.ts";
import { findUserByEmail, insertUser } from "#server/users/queries.ts";
import { isReserved } from "#server/users/reserved-addresses.ts";
import { findUserByIdentity, insertIdentity } from "./identity-queries.ts";
import type { Identity } from "./provider.ts";

/** Whom a provider's account that is new here leads to. */
export type Adopted =
  /** A new account, or one that the same provider's account has got meanwhile. */
  | { kind: "user"; user: User }
  /** There is one with this e-mail and a password, which has to be typed before the two are linked. */
  | { kind: "owner"; owner: User };

/**
 * The account for somebody who comes from the provider for the first time: a new one without a password. An account that is there with
 * their e-mail is never opened by this, whatever either side knows of the address: addresses change hands, and providers err. Its
 * password links the two; who has none chooses one by mail first.
 * @param at epoch ms
 * @throws Problem `accountExists`; `providerFailed` when the provider tells no e-mail
 */
export function adoptIdentity(db: Db, identity: Identity, at: number): Promise<Adopted> {
  return db.transaction().execute(async (t): Promise<Adopted> => {
    // Another window of the same person may have been faster.
    const known = await findUserByIdentity(t, identity);
    if (known !== undefined) return { kind: "user", user: known };
    const { issuer, subject, email } = identity;
    if (email === undefined) throw new Problem("providerFailed");
    if (isReserved(email)) throw new Problem("accountExists");
    const owner = await findUserByEmail(t, email);
    // Whose address the provider has not checked is told no more than that it is taken.
    if (owner !== undefined && owner.password_hash !== "" && identity.emailVerified) return { kind: "owner", owner };
    if (owner !== undefined) throw new Problem("accountExists");
    const user = await addUser(t, { ...identity, email }, at);
    await insertIdentity(t, { issuer, subject, user_id: user.id, created_at: at });
    return { kind: "user", user };
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
  await insertUser(t, user);
  return user;
}
