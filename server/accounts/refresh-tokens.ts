import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from "node:crypto";
import { countMetric } from "../db/metric-days.ts";
import type { Db } from "../db/open.ts";
import type { RefreshTokenTable } from "../db/schema.ts";
import { Problem } from "../problem.ts";

/** A lost answer is repeated for this long (DESIGN.md section 7), in milliseconds. */
const graceMs = 10_000;
const dayMs = 24 * 60 * 60 * 1000;

export interface Refreshed {
  refreshToken: string;
  userId: string;
  sessionId: string;
}

/** Sign-ins that last: families of refresh tokens, each used once. */
export interface RefreshTokens {
  /** Starts a family. @param device the browser, as it calls itself */
  open(userId: string, device?: string): Promise<Refreshed>;
  /**
   * Exchanges a token for its successor. Its immediate predecessor gets the same successor for 10 s; anything older means that a
   * token was stolen and ends the whole family.
   * @throws Problem `unauthorized` for a token that is unknown, expired or revoked; `sessionReused`
   */
  rotate(token: string): Promise<Refreshed>;
  /** The sign-in that a token belongs to, used or not; undefined for an unknown one. */
  familyOf(token: string): Promise<string | undefined>;
  /** Ends the family of this token; nothing happens for an unknown one. */
  close(token: string): Promise<void>;
}

export function createRefreshTokens(db: Db, now: () => number, refreshDays: number): RefreshTokens {
  const fresh = (sessionId: string, token: string): RefreshTokenTable => ({
    hash: hashOf(token),
    session_id: sessionId,
    created_at: now(),
    expires_at: now() + refreshDays * dayMs,
    replaced_at: null,
    successor_hash: null,
    sealed_successor: null,
  });
  const revoke = (sessionId: string) =>
    db.updateTable("sessions").set({ revoked_at: now() }).where("id", "=", sessionId).where("revoked_at", "is", null).execute();

  return {
    open: async (userId, device) => {
      const sessionId = randomUUID();
      const refreshToken = newToken();
      await db.transaction().execute(async (t) => {
        await t
          .insertInto("sessions")
          .values({
            id: sessionId,
            user_id: userId,
            created_at: now(),
            revoked_at: null,
            device: device?.slice(0, 300) ?? null,
            seen_at: now(),
          })
          .execute();
        await t.insertInto("refresh_tokens").values(fresh(sessionId, refreshToken)).execute();
        await countMetric(t, "signIns", now());
      });
      return { refreshToken, userId, sessionId };
    },
    rotate: async (token) => {
      const outcome = await db.transaction().execute((t) => exchange(t, token, now(), fresh));
      if (outcome === undefined) throw new Problem("unauthorized", "The sign-in has ended. Sign in again.");
      const { refreshToken, userId, sessionId } = outcome;
      if (refreshToken !== undefined) return { refreshToken, userId, sessionId };
      await revoke(sessionId);
      throw new Problem("sessionReused");
    },
    familyOf: async (token) => (await findToken(db, token))?.session_id,
    close: async (token) => {
      const known = await findToken(db, token);
      if (known !== undefined) await revoke(known.session_id);
    },
  };
}

/**
 * One step of the chain, in a transaction: two requests with the same token can't make two successors.
 * @returns no `refreshToken` for one that was used before its time; undefined for one that is no good
 */
async function exchange(t: Db, token: string, now: number, fresh: (sessionId: string, token: string) => RefreshTokenTable) {
  const known = await findToken(t, token);
  if (known === undefined || known.revoked_at !== null || known.expires_at <= now) return undefined;
  const family = { userId: known.user_id, sessionId: known.session_id };
  if (known.replaced_at !== null) {
    const repeated = now - known.replaced_at < graceMs ? await unusedSuccessor(t, known, token) : undefined;
    return { ...family, refreshToken: repeated };
  }
  const refreshToken = newToken();
  await t.insertInto("refresh_tokens").values(fresh(known.session_id, refreshToken)).execute();
  await t.updateTable("sessions").set({ seen_at: now }).where("id", "=", known.session_id).execute();
  await t
    .updateTable("refresh_tokens")
    .set({ replaced_at: now, successor_hash: hashOf(refreshToken), sealed_successor: seal(refreshToken, token) })
    .where("hash", "=", hashOf(token))
    .execute();
  return { ...family, refreshToken };
}

function findToken(db: Db, token: string) {
  return db
    .selectFrom("refresh_tokens")
    .innerJoin("sessions", "sessions.id", "refresh_tokens.session_id")
    .selectAll("refresh_tokens")
    .select(["sessions.user_id", "sessions.revoked_at"])
    .where("hash", "=", hashOf(token))
    .executeTakeFirst();
}

/** The successor of a replaced token, if that one has not been replaced itself. */
async function unusedSuccessor(
  db: Db,
  replaced: { successor_hash: string | null; sealed_successor: string | null },
  token: string,
) {
  if (replaced.successor_hash === null || replaced.sealed_successor === null) return undefined;
  const successor = await db
    .selectFrom("refresh_tokens")
    .select("replaced_at")
    .where("hash", "=", replaced.successor_hash)
    .executeTakeFirst();
  return successor?.replaced_at === null ? unseal(replaced.sealed_successor, token) : undefined;
}

function newToken(): string {
  return randomBytes(32).toString("base64url");
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The database keeps no token in the clear: a successor is readable only for who holds its predecessor. */
function sealingKey(token: string): Buffer {
  return createHash("sha256").update("parlance successor\0").update(token).digest();
}

function seal(successor: string, token: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", sealingKey(token), iv);
  const sealed = Buffer.concat([cipher.update(successor, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
}

function unseal(sealed: string, token: string): string {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv("aes-256-gcm", sealingKey(token), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
}
