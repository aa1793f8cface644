import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { newUser } from "#server/users/new-user.ts";
import { findUserByEmail, insertUser } from "#server/users/queries.ts";
import { isReserved } from "#server/users/reserved-addresses.ts";
import type { User } from "#server/users/tables.ts";
import { findUserByIdentity, insertIdentity } from "./identity-queries.ts";
import type { Identity } from "./provider.ts";

/** The account that an unknown identity resolves to. */
export type ResolvedIdentity =
  /** A new account, or the account that the identity was linked to in the meantime. */
  | { kind: "user"; user: User }
  /** An existing account with this e-mail and a password, which has to be entered before the two are linked. */
  | { kind: "owner"; owner: User };

/**
 * The account for a first sign-in through a provider: a new one without a password. An existing account with the same
 * e-mail is never opened by this, even if both sides have verified the address: addresses change hands, and providers
 * err. The account's password links the two; a user without a password sets one by mail first.
 * @param at epoch ms
 * @throws Problem `accountExists`; `providerFailed` when the provider gives no e-mail
 */
export function resolveIdentity(db: Db, identity: Identity, at: number): Promise<ResolvedIdentity> {
  return db.transaction().execute(async (t): Promise<ResolvedIdentity> => {
    // A concurrent sign-in of the same user may have created the account.
    const known = await findUserByIdentity(t, identity);
    if (known !== undefined) return { kind: "user", user: known };
    const { issuer, subject, email } = identity;
    if (email === undefined) throw new Problem("providerFailed");
    if (isReserved(email)) throw new Problem("accountExists");
    const owner = await findUserByEmail(t, email);
    // For an unverified address, the response says only that it is taken.
    if (owner !== undefined && owner.password_hash !== "" && identity.emailVerified) return { kind: "owner", owner };
    if (owner !== undefined) throw new Problem("accountExists");
    const user = newUser({ email, name: identity.name, email_verified: identity.emailVerified ? 1 : 0 }, at);
    await insertUser(t, user);
    await insertIdentity(t, { issuer, subject, user_id: user.id, created_at: at });
    return { kind: "user", user };
  });
}
