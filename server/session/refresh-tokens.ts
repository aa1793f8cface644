import { createHash, randomUUID } from "node:crypto";
import type { SignInMethod } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import type { Log } from "#server/log/log.ts";
import { countMetric } from "#server/metrics/queries.ts";
import { hasPasswordHash, isBlocked } from "#server/users/queries.ts";
import type { User } from "#server/users/tables.ts";
import { hasPasskey, hasSecondFactor } from "./credential-queries.ts";
import { insertSession, revokeIdlest, revokeSession, touchSession } from "./queries.ts";
import { findRefreshToken, findRefreshTokenTimes, insertRefreshToken, replaceRefreshToken } from "./refresh-token-queries.ts";
import { decrypt, encrypt, hashOf, newSecret } from "./secrets.ts";
import { insertSignIn } from "./sign-in-queries.ts";
import type { RefreshTokenTable } from "./tables.ts";

/** A retry with the same token gets the same response for this long (DESIGN.md section 7), in milliseconds. */
const graceMs = 10_000;
const dayMs = 24 * 60 * 60 * 1000;
/** Most sessions of one account. One more ends the session that has been idle for longest. */
const maxSessions = 100;

export interface Refreshed {
  refreshToken: string;
  userId: string;
  sessionId: string;
  /** How long the token is valid if it is not used (seconds). */
  seconds: number;
}

/** How long a session lasts: without use, and in all (days). */
interface SessionLife {
  refreshDays: number;
  sessionDays: number;
}

/** A new token and its row, for the session that began at `begunAt` (epoch ms). */
type Fresh = (sessionId: string, begunAt: number) => { token: string; row: RefreshTokenTable };

/** @returns a token's expiry (epoch ms), limited by disuse and by its session's maximum age */
function lifetimeOf({ refreshDays, sessionDays }: SessionLife): (begunAt: number, now: number) => number {
  return (begunAt, now) => Math.min(now + refreshDays * dayMs, begunAt + sessionDays * dayMs);
}

/** Sessions are families of refresh tokens; each token is used once. */
export interface RefreshTokens {
  /**
   * Starts a family. If the account has too many, ends the one that has been idle for longest.
   * @param user as read when the password was verified
   * @param signIn how the user has signed in, whether a second-factor code was right, the browser's user agent, and
   *   the passkey, if one was used
   * @throws Problem `badCredentials` when the password was changed since: the old one no longer counts;
   *   `accountBlocked`; `secondFactorRequired` for an account that has one, unless its code was right; `passkeyUnknown`
   *   when the passkey was removed since
   */
  open(
    user: Pick<User, "id" | "password_hash">,
    signIn: { method: SignInMethod; device: string | undefined; isCodeRight: boolean; passkeyId?: string | undefined },
  ): Promise<Refreshed>;
  /**
   * Exchanges a token for its successor. The last replaced token gets the same successor for 10 s. An older token means
   * that a token was stolen, and ends the whole family.
   * @throws Problem `unauthorized` for a token that is unknown, expired or revoked; `sessionReused`
   */
  rotate(token: string): Promise<Refreshed>;
  /** The session and user of a token, used or not; undefined for an unknown one. */
  ownerOf(token: string): Promise<{ sessionId: string; userId: string } | undefined>;
  /** Ends the family of this token; does nothing for an unknown one. */
  close(token: string): Promise<void>;
}

export interface RefreshTokenOptions extends SessionLife {
  /** Whether the cookie's name prevents other hosts from setting it. If so, its tokens are marked. */
  hostBound: boolean;
  /** Called when a family has ended. */
  onEnded: () => Promise<void>;
  log: Log;
}

/** @param now epoch ms */
export function createRefreshTokens(db: Db, now: () => number, options: RefreshTokenOptions): RefreshTokens {
  const { hostBound, onEnded, log } = options;
  const lifetime = lifetimeOf(options);
  const fresh: Fresh = (sessionId, begunAt) => {
    const token = newToken(hostBound);
    const created_at = now();
    const expires_at = lifetime(begunAt, created_at);
    const unused = { replaced_at: null, successor_hash: null, sealed_successor: null };
    return { token, row: { hash: hashOf(token), session_id: sessionId, created_at, expires_at, ...unused } };
  };
  const revoke = async (sessionId: string) => {
    await revokeSession(db, sessionId, now());
    await onEnded();
  };

  return {
    open: async ({ id: userId, password_hash }, { method, device: agent, isCodeRight, passkeyId }) => {
      const sessionId = randomUUID();
      const { token: refreshToken, row } = fresh(sessionId, now());
      const device = agent?.slice(0, 300) ?? null;
      const ended = await db.transaction().execute(async (t) => {
        if (!(await hasPasswordHash(t, userId, password_hash))) throw new Problem("badCredentials");
        // Every kind of sign-in ends here. Only a user who has proven to own the account learns that it is blocked.
        if (await isBlocked(t, userId)) throw new Problem("accountBlocked");
        if (passkeyId !== undefined && !(await hasPasskey(t, userId, passkeyId))) throw new Problem("passkeyUnknown");
        if (!isCodeRight && (await hasSecondFactor(t, userId))) throw new Problem("secondFactorRequired");
        await insertSession(t, {
          id: sessionId,
          user_id: userId,
          created_at: now(),
          revoked_at: null,
          device,
          seen_at: now(),
          passkey_id: passkeyId ?? null,
        });
        await insertRefreshToken(t, row);
        await insertSignIn(t, { id: sessionId, user_id: userId, at: now(), method, device });
        await countMetric(t, "signIns", now());
        return revokeIdlest(t, userId, maxSessions, now());
      });
      if (ended > 0) await onEnded();
      log.info("signed in", { account: userId, session: sessionId });
      return { refreshToken, userId, sessionId, seconds: lifeOf(row) };
    },
    rotate: async (token) => {
      const outcome = await db.transaction().execute((t) => exchange(t, token, now(), fresh));
      if (outcome === undefined) throw new Problem("unauthorized", "Your session has ended. Sign in again.");
      const { successor, userId, sessionId } = outcome;
      if (successor !== undefined) return { ...successor, userId, sessionId };
      await revoke(sessionId);
      log.info("a used refresh token was presented, its session ends", { account: userId, session: sessionId });
      throw new Problem("sessionReused");
    },
    ownerOf: async (token) => {
      const known = await findRefreshToken(db, hashOf(token));
      return known && { sessionId: known.session_id, userId: known.user_id };
    },
    close: async (token) => {
      const known = await findRefreshToken(db, hashOf(token));
      if (known === undefined) return;
      await revoke(known.session_id);
      log.info("signed out", { account: known.user_id, session: known.session_id });
    },
  };
}

/**
 * Exchanges a token in a transaction, so that two requests with the same token can't create two successors.
 * @returns no `successor` for a token that was reused; undefined for an invalid one
 */
async function exchange(t: Db, token: string, now: number, fresh: Fresh) {
  const known = await findRefreshToken(t, hashOf(token));
  if (known === undefined || known.revoked_at !== null || known.expires_at <= now) return undefined;
  const family = { userId: known.user_id, sessionId: known.session_id };
  if (known.replaced_at !== null) {
    const repeated = now - known.replaced_at < graceMs ? await unusedSuccessor(t, known, token) : undefined;
    return { ...family, successor: repeated };
  }
  const { token: refreshToken, row } = fresh(known.session_id, known.begun_at);
  // The session has ended: its maximum age may have been shortened since it began.
  if (row.expires_at <= now) return undefined;
  await insertRefreshToken(t, row);
  await touchSession(t, known.session_id, now);
  const sealed_successor = encrypt(sealingKey(token), refreshToken).toString("base64");
  await replaceRefreshToken(t, hashOf(token), { replaced_at: now, successor_hash: hashOf(refreshToken), sealed_successor });
  return { ...family, successor: { refreshToken, seconds: lifeOf(row) } };
}

/** The successor of a replaced token, if it has not been replaced itself. */
async function unusedSuccessor(
  db: Db,
  replaced: { successor_hash: string | null; sealed_successor: string | null },
  token: string,
) {
  if (replaced.successor_hash === null || replaced.sealed_successor === null) return undefined;
  const successor = await findRefreshTokenTimes(db, replaced.successor_hash);
  if (successor?.replaced_at !== null) return undefined;
  const refreshToken = decrypt(sealingKey(token), Buffer.from(replaced.sealed_successor, "base64"));
  return { refreshToken, seconds: lifeOf(successor) };
}

/** In seconds. */
function lifeOf({ created_at, expires_at }: Pick<RefreshTokenTable, "created_at" | "expires_at">): number {
  return Math.floor((expires_at - created_at) / 1000);
}

const hostMark = "h.";

/** Whether a token was made for a cookie that no other host can set. */
export function isHostBound(token: string): boolean {
  return token.startsWith(hostMark);
}

function newToken(hostBound: boolean): string {
  return `${hostBound ? hostMark : ""}${newSecret()}`;
}

/** The database stores no token in the clear: a successor can only be read with its predecessor. */
function sealingKey(token: string): Buffer {
  return createHash("sha256").update("parlance successor\0").update(token).digest();
}
