import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { type PersonalToken, TokenScope } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import type { PersonalTokens, VerifiedToken } from "#server/session/require-access.ts";
import { hashOf, isSecretOf, newSecret } from "#server/session/secrets.ts";
import { findPersonalToken, type PersonalTokenRow, touchPersonalToken } from "./queries.ts";

/**
 * The id is not secret: it selects the row, and its owner recognizes the token by it. The 43 characters after it are
 * 256 random bits.
 */
const pattern = /^parlance_([\da-f]{16})_[\w-]{43}$/;
/** Uses are noted once in this time (milliseconds). */
const noteMs = 60_000;

/** A new token, which is sent once, with its stored data. */
export function newPersonalToken(): { token: string; id: string; hash: string } {
  const id = randomBytes(8).toString("hex");
  const token = `parlance_${id}_${newSecret()}`;
  return { token, id, hash: hashOf(token) };
}

/** @param now epoch ms */
export function createPersonalTokens(db: Db, now: () => number): PersonalTokens {
  return { verify: (token) => verify(db, now, token) };
}

async function verify(db: Db, now: () => number, token: string): Promise<VerifiedToken | undefined> {
  const id = pattern.exec(token)?.[1];
  const found = id === undefined ? undefined : await findPersonalToken(db, id);
  if (found === undefined) return undefined;
  const { row, user } = found;
  if (!isSecretOf(token, row.hash) || row.expires_at <= now()) return undefined;
  if (row.used_at === null || row.used_at <= now() - noteMs) await touchPersonalToken(db, row.id, now(), now() - noteMs);
  return { id: row.id, user, scopes: scopesOf(row), expiresAt: row.expires_at };
}

/** A scope that this version does not know permits nothing. */
function scopesOf({ scopes }: PersonalTokenRow): TokenScope[] {
  const listed = v.parse(v.array(v.unknown()), JSON.parse(scopes));
  return listed.filter((scope) => v.is(TokenScope, scope));
}

/** A token as the settings show it. */
export function viewPersonalToken(row: PersonalTokenRow): PersonalToken {
  const iso = (at: number) => new Date(at).toISOString();
  return {
    id: row.id,
    name: row.name,
    scopes: scopesOf(row),
    createdAt: iso(row.created_at),
    expiresAt: iso(row.expires_at),
    lastUsedAt: row.used_at === null ? null : iso(row.used_at),
  };
}
