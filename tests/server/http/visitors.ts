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

/** The work of a passphrase: quick to open, as it is not what is tested. */
const easy = 2;

/** Everybody from whom a call can come, in the order of a row of the table. */
export const visitors = ["visitor", "ended", "other", "user", "superuser"] as const;
export type VisitorName = (typeof visitors)[number];

/** A server and one of each visitor. */
export interface Harness extends Record<Exclude<VisitorName, "visitor">, Person> {
  server: Running & { dataDir: string };
  /** Nobody: without a token. */
  visitor: Person;
  /** The superuser's session that has been ended; `ended` is the user's. */
  endedSuperuser: Person;
  userId: string;
  /** The keys of the user's vault. */
  keys: NewKeys;
}

/** A server that has every route but those of Stripe, which has a test of its own. */
export async function openHarness(options: Parameters<typeof startTestServer>[0] = {}): Promise<Harness> {
  const server = await startTestServer({ env: { WEBHOOK_ALLOW_HOSTS: "127.0.0.1:9" }, ...options });
  return peopled(server);
}

/** New people on a server: for calls that end sessions or accounts. */
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

/** @returns the person with the session that has been ended, and with the one that goes on */
async function withEndedSession(server: Harness["server"], person: Person): Promise<[Person, Person]> {
  const again = await signInAgain(server, person);
  const answer = await again.call("DELETE", "/users/me/sessions");
  if (!answer.ok) throw new Error(`The session has not been ended: ${answer.status}`);
  return [person, again];
}

/** Sends no token. */
function nobody(server: Pick<Running, "apiUrl">): Person {
  const person = asPerson(server, "");
  const call: Person["call"] = (method, path, body, headers) =>
    person.call(method, path, body, { Authorization: "", ...headers });
  return { ...person, call };
}

/** A name and password that a call may sign in with. */
export async function newCredentials({ server }: Harness) {
  const credentials = { email: `${crypto.randomUUID()}@example.org`, password: "correct horse" };
  await read(await post(server, "/auth/register", credentials), 201, LoginAnswer);
  return credentials;
}

/** The path of a page of the test payments, of somebody who has not subscribed yet. */
export async function checkoutPage({ server }: Harness): Promise<string> {
  const answer = await (await signUp(server)).call("POST", "/subscriptions/account/checkout-session", {
    plan: "premium",
    interval: "month",
  });
  const { url } = await read(answer, 200, UrlAnswer);
  return new URL(url ?? "none:").pathname;
}

/** Puts a voice of the user's there, as a recording would. */
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
 * Inserts a captioned video of the user, whose file is none, or which has failed. To ask for one could be refused:
 * a person has one in the making at a time, which may be that of an earlier call.
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

/** Makes a feed that the user follows, without a server that it could be read from. @returns its id */
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

/** Gives the user a passkey that nobody has. @returns its id */
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
