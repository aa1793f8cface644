import { Problem } from "#server/common/problem.ts";
import type { Db } from "#server/db/open.ts";
import { deleteIdentitiesOf, deletePendingLinksOf } from "#server/session/identity-queries.ts";
import type { OpenConnections } from "#server/session/open-connections.ts";
import { deleteDeviceKey, revokeSessionsOf } from "#server/session/queries.ts";
import { isEmailVerified, updateUser } from "#server/users/queries.ts";
import { deleteLinkTokensOf } from "./link-token-queries.ts";

interface Parts {
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
  connections: OpenConnections;
}

/** Whose credential was changed. */
export interface ChangedCredential {
  userId: string;
  /** The session that goes on: the one in which the person made the change. Default: none. */
  keepSession?: string | null;
}

/**
 * The one way to change what opens an account: its password, its address, its links to providers. In one transaction with the change
 * end all other ways in that somebody may have prepared: links in mails, whatever they are for, a change of address that waits, a
 * provider's account that waits to be linked, and every other session, with what is connected under it; and no device is known any more.
 * Otherwise whoever knew the old password could come back.
 * @param change makes the change in the transaction; what it throws undoes everything
 * @returns what `change` has returned
 */
export async function changeCredential<Changed extends ChangedCredential>(
  { db, now, connections }: Parts,
  change: (t: Db) => Promise<Changed>,
): Promise<Changed> {
  const changed = await db.transaction().execute(async (t) => {
    const result = await change(t);
    await deleteLinkTokensOf(t, result.userId);
    await deleteDeviceKey(t, result.userId);
    await deletePendingLinksOf(t, result.userId);
    await revokeSessionsOf(t, result.userId, now(), result.keepSession ?? "");
    return result;
  });
  await connections.recheck();
  return changed;
}

/**
 * Gives an account the password that was chosen by who can read its mails. If the address was never proven before, whoever made the
 * account may have been a stranger: providers that they have linked open it no longer. Part of a change of credentials.
 * @throws Problem `linkInvalid` when the account has another address by now
 */
export async function proveAddress(
  t: Db,
  { userId, email }: { userId: string; email: string },
  passwordHash: string,
): Promise<void> {
  const isVerified = await isEmailVerified(t, userId, email);
  if (isVerified === undefined) throw new Problem("linkInvalid");
  if (!isVerified) await deleteIdentitiesOf(t, userId);
  await updateUser(t, userId, { password_hash: passwordHash, email_verified: 1 });
}
