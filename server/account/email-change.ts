import type { DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import type { Origins } from "#server/http/origins.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import type { OpenConnections } from "#server/session/open-connections.ts";
import { findUser, findUserByEmail, updateUser } from "#server/users/queries.ts";
import { isReserved } from "#server/users/reserved-addresses.ts";
import type { User } from "#server/users/tables.ts";
import { changeCredential } from "./credentials.ts";
import { sendEmail } from "./emails.ts";
import { deleteLinkTokensOf } from "./link-token-queries.ts";
import { issueToken, redeemToken } from "./link-tokens.ts";

interface Parts extends DbParts {
  origins: Origins;
  connections: OpenConnections;
  outbox: Outbox;
}

/**
 * Mails the new address a link that makes the change, and the current one a link that stops it. The current address
 * always gets an e-mail, so that only its owner can learn whether the new one is taken.
 */
export async function askForEmailChange(parts: Parts, user: User, email: string, sessionId: string): Promise<void> {
  const { db, now } = parts;
  if (email === user.email) return;
  const token = await issueToken(db, { userId: user.id, purpose: "stopEmail", email, now: now() });
  await sendEmail(parts, user.id, "wantedEmail", { path: `/email-verification#token=${token}`, email });
  const owner = await findUserByEmail(db, email);
  if (owner !== undefined) await sendEmail(parts, owner.id, "known", { path: "/forgot-password" });
  else if (!isReserved(email)) {
    const token = await issueToken(db, { userId: user.id, purpose: "newEmail", email, sessionId, now: now() });
    await sendEmail(parts, user.id, "newEmail", { path: `/email-verification#token=${token}`, recipient: email });
  }
}

/** Changes an account's address to the one whose link was opened. @throws Problem `linkInvalid`, `emailTaken` */
export async function moveToNewEmail(parts: Parts, token: string): Promise<void> {
  const { now } = parts;
  const moved = await changeCredential(parts, async (t) => {
    const { userId, email, sessionId } = await redeemToken(t, token, ["newEmail"], now());
    const before = await findUser(t, userId);
    if (before === undefined) throw new Problem("linkInvalid");
    if ((await findUserByEmail(t, email)) !== undefined) throw new Problem("emailTaken");
    await updateUser(t, userId, { email, email_verified: 1 });
    return { userId, email, before: before.email, keepSession: sessionId };
  });
  await sendEmail(parts, moved.userId, "movedEmail", { path: "/", recipient: moved.before, email: moved.email });
}

/** Cancels the pending change of address and its links. @throws Problem `linkInvalid` */
export async function stopEmailChange({ db, now }: DbParts, token: string): Promise<void> {
  await db.transaction().execute(async (t) => {
    const { userId } = await redeemToken(t, token, ["stopEmail"], now());
    await deleteLinkTokensOf(t, userId, ["newEmail", "stopEmail"]);
  });
}
