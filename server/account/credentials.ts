import type { Db, DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { deleteChallengesOf, deletePasskeysOf } from "#server/session/credential-queries.ts";
import { deleteIdentitiesOf, deletePendingLinksOf } from "#server/session/identity-queries.ts";
import type { OpenConnections } from "#server/session/open-connections.ts";
import { deletePendingSignInsOf } from "#server/session/pending-sign-in-queries.ts";
import { deleteDeviceKey, requireLiving, revokeAccessOf } from "#server/session/queries.ts";
import { isEmailVerified, updateUser } from "#server/users/queries.ts";
import type { User } from "#server/users/tables.ts";
import { deleteLinkTokensOf } from "./link-token-queries.ts";

interface Parts extends DbParts {
  connections: Pick<OpenConnections, "recheck">;
}

export interface ChangedCredential {
  userId: string;
  /** The session to keep: the one in which the change was made. Default: none. */
  keepSession?: string | null;
}

/**
 * Every change of a credential (password, address, linked providers, second factor, passkeys) goes through here. In the
 * same transaction it revokes all other access that an attacker may have prepared: mailed links, a pending change of
 * address, a pending provider link, sign-ins that wait for a code, passkeys that are being added, personal access
 * tokens, all other sessions with their connections, and the known devices. Otherwise an attacker with the old password
 * could come back.
 * @param change makes the change in the transaction; throwing rolls everything back
 * @returns the result of `change`
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
    await deletePendingSignInsOf(t, result.userId);
    await deleteChallengesOf(t, result.userId);
    await revokeAccessOf(t, result.userId, now(), result.keepSession ?? "");
    return result;
  });
  await connections.recheck();
  return changed;
}

/**
 * Changes a credential of the signed-in person, whose session stays.
 * @returns the result of `change`
 * @throws Problem `unauthorized` if the session has ended
 */
export async function changeOwnCredential<Result>(
  parts: Parts,
  { user, sessionId }: { user: User; sessionId: string },
  change: (t: Db) => Promise<Result>,
): Promise<Result> {
  const { result } = await changeCredential(parts, async (t) => {
    await requireLiving(t, user.id, sessionId);
    return { userId: user.id, keepSession: sessionId, result: await change(t) };
  });
  return result;
}

/**
 * Sets the password chosen through a mailed link. If the address was unproven, somebody else may have created the
 * account, so its linked providers and passkeys are removed. Part of a change of credentials.
 * @throws Problem `linkInvalid` if the account has another address by now
 */
export async function proveAddress(
  t: Db,
  { userId, email }: { userId: string; email: string },
  passwordHash: string,
): Promise<void> {
  const isVerified = await isEmailVerified(t, userId, email);
  if (isVerified === undefined) throw new Problem("linkInvalid");
  if (!isVerified) {
    await deleteIdentitiesOf(t, userId);
    await deletePasskeysOf(t, userId);
  }
  await updateUser(t, userId, { password_hash: passwordHash, email_verified: 1 });
}
