import { createHash, randomBytes } from "node:crypto";
import type { LinkKind } from "#contract/index.ts";
import { Problem } from "#server/common/problem.ts";
import type { Db } from "#server/db/open.ts";
import { requireLiving } from "#server/session/queries.ts";
import { deleteLinkTokensOf, findLinkTokenEmail, insertLinkToken, takeLinkToken } from "./link-token-queries.ts";

/**
 * What the link in a mail is for: `confirm` an address, choose a new password, move the account to another address, or stop such a move.
 */
export type TokenPurpose = "confirm" | "reset" | "newEmail" | "stopEmail";

const hour = 60 * 60_000;
/** How long a link works, in milliseconds. */
const lifeMs: Record<TokenPurpose, number> = { confirm: 24 * hour, reset: hour, newEmail: 24 * hour, stopEmail: 24 * hour };

/** What the page behind the link has to ask. */
const linkKinds: Partial<Record<TokenPurpose, LinkKind>> = { confirm: "signup", stopEmail: "stop" };

export interface TokenOptions {
  userId: string;
  purpose: TokenPurpose;
  /** The address that it is about. */
  email: string;
  /** The session that has asked for it and goes on afterwards. */
  sessionId?: string;
  /** Epoch ms. */
  now: number;
}

/**
 * Makes the token of a link. An earlier one for the same purpose stops working, except for those that stop something: whichever of
 * several mails is opened, it has to work. The database keeps its SHA-256 alone.
 * @throws Problem `unauthorized` when the session that asks for it has ended meanwhile
 */
export async function issueToken(db: Db, { userId, purpose, email, sessionId, now }: TokenOptions): Promise<string> {
  const token = newToken(linkKinds[purpose]);
  const row = { hash: hashOf(token), user_id: userId, purpose, email, session_id: sessionId ?? null };
  await db.transaction().execute(async (t) => {
    if (sessionId !== undefined) await requireLiving(t, userId, sessionId);
    if (purpose !== "stopEmail") await deleteLinkTokensOf(t, userId, [purpose]);
    await insertLinkToken(t, { ...row, expires_at: now + lifeMs[purpose] });
  });
  return token;
}

export interface Redeemed {
  userId: string;
  purpose: TokenPurpose;
  email: string;
  sessionId: string | null;
}

/**
 * Uses a token up.
 * @param now epoch ms
 * @throws Problem `linkInvalid` for one that is unknown, used, replaced or too old
 */
export async function redeemToken(t: Db, token: string, purposes: readonly TokenPurpose[], now: number): Promise<Redeemed> {
  const row = await takeLinkToken(t, hashOf(token), purposes);
  if (row === undefined || row.expires_at <= now) throw new Problem("linkInvalid");
  return { userId: row.user_id, purpose: row.purpose, email: row.email, sessionId: row.session_id };
}

/**
 * The address that a link is about; the link is not used up.
 * @throws Problem `linkInvalid` as above
 */
export async function addressOfToken(db: Db, token: string, purpose: TokenPurpose, now: number): Promise<string> {
  const email = await findLinkTokenEmail(db, hashOf(token), purpose, now);
  if (email === undefined) throw new Problem("linkInvalid");
  return email;
}

/**
 * What stands in a link: 256 bits that nobody can guess.
 * @param kind tells the page what the link is for (contract/account.ts, `linkKindOf`)
 */
export function newToken(kind?: LinkKind): string {
  const token = randomBytes(32).toString("base64url");
  return kind === undefined ? token : `${kind}-${token}`;
}

/** What the database keeps of a link's token. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
