import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LoginAnswer, UrlAnswer, UserProfile, Vault } from "#contract/index.ts";
import type { Running } from "#server/start.ts";
import { createKeys, type NewKeys } from "#src/features/vault/encryption.ts";
import { openTestDb } from "#tests/server/database.ts";
import { asPerson, type Person, post, read, signInAgain, signUp, startTestServer } from "#tests/server/harness.ts";
import { subscribe } from "#tests/server/subscription/subscribed.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";
import { vaults } from "#tests/server/vault/vaults.ts";

/** Work factor of a passphrase; low, because these tests don't measure its strength. */
const easy = 2;

/** All kinds of callers, in the order of a row of the table. */
export const visitors = ["visitor", "ended", "other", "user", "superuser"] as const;
export type VisitorName = (typeof visitors)[number];

/** A server and one caller of each kind. */
export interface Harness extends Record<Exclude<VisitorName, "visitor">, Person> {
  server: Running & { dataDir: string };
  /** Sends no token. */
  visitor: Person;
  /** The superuser's ended session; `ended` is the user's. */
  endedSuperuser: Person;
  userId: string;
  /** The keys of the user's vault. */
  keys: NewKeys;
}

/** Starts a server with every route except Stripe's, which has its own test. */
export async function openHarness(options: Parameters<typeof startTestServer>[0] = {}): Promise<Harness> {
  const server = await startTestServer({ env: { WEBHOOK_ALLOW_HOSTS: "127.0.0.1:9" }, ...options });
  return peopled(server);
}

/** Creates new people on a server, for calls that end sessions or accounts. */
export async function peopled(server: Harness["server"]): Promise<Harness> {
  const other = await signUp(server);
  const [ended, user] = await withEndedSession(server, await signUp(server));
  const [endedSuperuser, superuser] = await withEndedSession(server, await signUpSuperuser(server));
  const { id: userId } = await read(await user.call("GET", "/users/me"), 200, UserProfile);
  for (const person of [user, other, superuser]) await subscribe(server.dataDir, person);
  const keys = await createKeys("correct horse battery", easy);
  await read(await user.call("POST", `${vaults}/vault`, keys.vault), 201, Vault);
  return { server, ended, user, endedSuperuser, superuser, other, visitor: nobody(server), userId, keys };
}

/** @returns the person with the ended session, and with the session that goes on */
async function withEndedSession(server: Harness["server"], person: Person): Promise<[Person, Person]> {
  const again = await signInAgain(server, person);
  const answer = await again.call("DELETE", "/users/me/sessions");
  if (!answer.ok) throw new Error(`The session has not been ended: ${answer.status}`);
  return [person, again];
}

/** A caller without a token. */
function nobody(server: Pick<Running, "apiUrl">): Person {
  const person = asPerson(server, "");
  const call: Person["call"] = (method, path, body, headers) =>
    person.call(method, path, body, { Authorization: "", ...headers });
  return { ...person, call };
}

/** Registers an account and returns its credentials for a sign-in. */
export async function newCredentials({ server }: Harness) {
  const credentials = { email: `${crypto.randomUUID()}@example.org`, password: "correct horse" };
  await read(await post(server, "/auth/register", credentials), 201, LoginAnswer);
  return credentials;
}

/** The path of a test payment page for a person without a subscription. */
export async function checkoutPage({ server }: Harness): Promise<string> {
  const answer = await (await signUp(server)).call("POST", "/subscriptions/account/checkout-session", {
    plan: "premium",
    interval: "month",
  });
  const { url } = await read(answer, 200, UrlAnswer);
  return new URL(url ?? "none:").pathname;
}

/** Inserts a voice profile of the user, as a recording would create it. */
export async function insertVoice({ server, userId }: Harness): Promise<string> {
  const db = await openTestDb(server.dataDir);
  const profile = {
    id: crypto.randomUUID(),
    user_id: userId,
    name: "Ada",
    model: crypto.randomUUID(),
    sum: "[1]",
    recordings: 1,
  };
  await db
    .insertInto("voice_profiles")
    .values({ ...profile, created_at: 1, heard_at: 1 })
    .execute();
  await db.destroy();
  return profile.id;
}

/**
 * Inserts a captioned video of the user, with a dummy file or as failed. The route might refuse to make one: a person
 * has one in the making at a time, and an earlier call may have asked for it.
 */
export async function insertCaptioned(
  { server, userId }: Harness,
  transcriptionId: string,
  state: "ready" | "failed",
): Promise<void> {
  if (state === "ready") await writeFile(join(server.dataDir, "audio", transcriptionId, "captioned"), "a film");
  const db = await openTestDb(server.dataDir);
  const times = { asked_at: 1, next_at: 1, finished_at: Date.now() };
  const found = { state, fraction: 0, undrawn: 0, attempts: 3, ...times };
  await db
    .insertInto("videos")
    .values({ transcription_id: transcriptionId, kind: "captioned", user_id: userId, ...found })
    .onConflict((conflict) => conflict.columns(["transcription_id", "kind"]).doUpdateSet(found))
    .execute();
  await db.destroy();
}

/**
 * Inserts a feed that the user follows, without a server to read it from.
 * @returns its id
 */
export async function insertFeed({ server, userId }: Harness): Promise<string> {
  const db = await openTestDb(server.dataDir);
  const id = crypto.randomUUID();
  await db
    .insertInto("feeds")
    .values({
      id,
      user_id: userId,
      url: `http://127.0.0.1:9/${id}`,
      title: "",
      source_language: "en",
      created_at: 1,
      failures: 0,
      next_at: 9e12,
    })
    .execute();
  await db.destroy();
  return id;
}

/**
 * Inserts a passkey of the user that no authenticator has.
 * @returns its id
 */
export async function insertPasskey({ server, userId }: Harness): Promise<string> {
  const db = await openTestDb(server.dataDir);
  const id = crypto.randomUUID();
  const unused = { public_key: "", counter: 0, transports: "[]", synced: 0, name: "n", created_at: 1, used_at: null };
  await db
    .insertInto("passkeys")
    .values({ ...unused, id, user_id: userId, credential_id: id })
    .execute();
  await db.destroy();
  return id;
}
