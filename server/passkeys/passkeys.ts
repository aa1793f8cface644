import * as v from "valibot";
import {
  type MadePasskey,
  type Passkey,
  type PasskeyCreation,
  type PasskeyRequest,
  passkeyMinutes,
  type UsedPasskey,
} from "#contract/index.ts";
import type { DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { parseAs } from "#server/http/json.ts";
import type { Origins } from "#server/http/origins.ts";
import type { Log } from "#server/log/log.ts";
import { hashOf, newSecret } from "#server/session/secrets.ts";
import { shortMs } from "#server/threads/queues.ts";
import type { Threads } from "#server/threads/threads.ts";
import type { User } from "#server/users/tables.ts";
import { deleteExpiredChallenges, insertChallenge, type PasskeyRow, takeChallenge } from "./queries.ts";
import { passkeyAlgorithms, passkeyTasks } from "./thread-tasks.ts";

export interface PasskeyParts extends DbParts {
  log: Log;
  origins: Pick<Origins, "page">;
  threads: Threads;
}

const challengeMs = passkeyMinutes * 60_000;
/** So far the clocks of two processes may be apart (ms). */
const toleratedMs = 30_000;
const rpName = "Parlance";

/**
 * The domain of passkeys: that of the page's configured address (PUBLIC_URL), never that of a request. Another domain
 * means other passkeys; a change of port or scheme keeps them.
 */
function rpIdOf({ page }: Pick<Origins, "page">): string {
  return new URL(page).hostname;
}

const placeOf = ({ origins }: PasskeyParts) => ({ origin: origins.page, rpId: rpIdOf(origins) });

/** The authenticator's id of the account: random, so that it reveals nothing about its user. */
const handleOf = (user: Pick<User, "id">): string => Buffer.from(user.id).toString("base64url");

/**
 * The purpose of a challenge: to add a passkey to an account, in the session whose owner was confirmed; or to sign in.
 */
type Purpose = { purpose: "add"; userId: string; sessionId: string } | { purpose: "signIn" };

/** @returns the challenge, base64url; the database has only its SHA-256 */
async function keepChallenge({ db, now }: PasskeyParts, to: Purpose): Promise<string> {
  const challenge = newSecret();
  const whose = to.purpose === "add" ? { user_id: to.userId, session_id: to.sessionId } : { user_id: null, session_id: null };
  await deleteExpiredChallenges(db, now());
  await insertChallenge(db, { hash: hashOf(challenge), purpose: to.purpose, ...whose, expires_at: now() + challengeMs });
  return challenge;
}

const ClientData = v.object({ challenge: v.string() });

/**
 * Consumes the signed challenge. Differences of the server's clock above an hour also count as expired.
 * @throws Problem `passkeyExpired` for a challenge that is unknown, used, expired, or has another purpose
 */
async function redeemChallenge({ db, now }: PasskeyParts, clientDataJSON: string, to: Purpose): Promise<string> {
  const signed = parseAs(ClientData, Buffer.from(clientDataJSON, "base64url").toString("utf8"));
  if (signed === undefined) throw new Problem("passkeyRefused");
  const { challenge } = signed;
  const kept = await takeChallenge(db, hashOf(challenge));
  const left = (kept?.expires_at ?? 0) - now();
  const isMeant =
    kept?.purpose === to.purpose && (to.purpose === "signIn" || (kept.user_id === to.userId && kept.session_id === to.sessionId));
  if (!isMeant || left <= 0 || left > challengeMs + toleratedMs) throw new Problem("passkeyExpired");
  return challenge;
}

/** The options with which a browser creates a passkey: discoverable, and with user verification. */
export async function offerPasskey(
  parts: PasskeyParts,
  user: User,
  { sessionId, known }: { sessionId: string; known: readonly PasskeyRow[] },
): Promise<PasskeyCreation> {
  return {
    rp: { id: rpIdOf(parts.origins), name: rpName },
    user: { id: handleOf(user), name: user.email, displayName: user.name || user.email },
    challenge: await keepChallenge(parts, { purpose: "add", userId: user.id, sessionId }),
    pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: "public-key", alg })),
    timeout: challengeMs,
    excludeCredentials: known.map(({ credential_id: id }) => ({ id, type: "public-key" })),
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    attestation: "none",
  };
}

/** The stored data of a verified passkey. */
export type CheckedPasskey = Pick<PasskeyRow, "credential_id" | "public_key" | "counter" | "transports" | "synced">;

/** Checks a passkey that a browser has made. @throws Problem `passkeyExpired`, `passkeyRefused` */
export async function checkNewPasskey(
  parts: PasskeyParts,
  made: MadePasskey,
  whose: { userId: string; sessionId: string },
): Promise<CheckedPasskey> {
  const challenge = await redeemChallenge(parts, made.response.clientDataJSON, { purpose: "add", ...whose });
  const expected = { made, challenge, ...placeOf(parts) };
  const checked = await parts.threads.run(passkeyTasks.madePasskey, expected, { person: whose.userId, timeoutMs: shortMs });
  if ("refused" in checked) return refuse(parts, whose.userId, checked.refused);
  return {
    credential_id: checked.credentialId,
    public_key: checked.publicKey,
    counter: checked.counter,
    transports: JSON.stringify(made.response.transports ?? []),
    synced: checked.synced ? 1 : 0,
  };
}

/** @throws Problem `passkeyRefused` */
function refuse({ log }: PasskeyParts, account: string, reason: string): never {
  log.info("passkey refused", { account, reason });
  throw new Problem("passkeyRefused");
}

/** The options with which a browser signs in: any passkey of the device for this domain. */
export async function requestPasskey(parts: PasskeyParts): Promise<PasskeyRequest> {
  const challenge = await keepChallenge(parts, { purpose: "signIn" });
  return { rpId: rpIdOf(parts.origins), challenge, timeout: challengeMs, userVerification: "required" };
}

/** Uses up the challenge of a sign-in. @throws Problem `passkeyExpired`, `passkeyRefused` */
export function redeemSignInChallenge(parts: PasskeyParts, used: UsedPasskey): Promise<string> {
  return redeemChallenge(parts, used.response.clientDataJSON, { purpose: "signIn" });
}

/**
 * Checks what a passkey has signed. Its counter is the caller's to compare (`notePasskeyUse`). `person` asks: a
 * network.
 * @throws Problem `passkeyRefused`
 */
export async function checkUsed(
  parts: PasskeyParts,
  used: UsedPasskey,
  { passkey, user, challenge, person }: { passkey: PasskeyRow; user: User; challenge: string; person: string },
): Promise<{ counter: number; synced: boolean }> {
  const { userHandle } = used.response;
  if (userHandle !== undefined && userHandle !== handleOf(user)) refuse(parts, user.id, "It belongs to another account.");
  const credential = { id: passkey.credential_id, publicKey: passkey.public_key };
  const expected = { used, credential, challenge, ...placeOf(parts) };
  const checked = await parts.threads.run(passkeyTasks.usedPasskey, expected, { person, timeoutMs: shortMs });
  return "refused" in checked ? refuse(parts, user.id, checked.refused) : checked;
}

/** The form for its owner. */
export function viewPasskey({ id, name, created_at, used_at, synced }: PasskeyRow): Passkey {
  return {
    id,
    name,
    createdAt: new Date(created_at).toISOString(),
    lastUsedAt: used_at === null ? null : new Date(used_at).toISOString(),
    synced: synced === 1,
  };
}
