import { setImmediate } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { argon2id, createPasswords } from "#server/account/passwords.ts";
import { startMailServer } from "#tests/fixtures/mail-server.ts";
import { openTestDb } from "#tests/server/database.ts";
import { post, startTestServer } from "#tests/server/harness.ts";

/** Number of password hashes computed; they take most of an answer's time. */
let hashes = 0;
/** Checks that the real cost is requested, but computes with the lowest cost. */
const passwords = createPasswords(undefined, (parameters) => {
  expect(parameters).toMatchObject({ memory: 19_456, passes: 2, parallelism: 1 });
  hashes += 1;
  return argon2id({ ...parameters, memory: 8, passes: 1 });
});
beforeEach(() => {
  hashes = 0;
});

test("password hashing leaves threads for files and serves known devices first", async () => {
  const running: PromiseWithResolvers<Buffer>[] = [];
  const begun: unknown[] = [];
  const slow = createPasswords(undefined, ({ message }) => {
    begun.push(message);
    running.push(Promise.withResolvers());
    return running.at(-1)?.promise ?? Promise.reject(new Error());
  });
  const asked = Array.from({ length: 40 }, (_, n) => slow.hash(`guess ${n}`, { person: `network ${n % 20}` }));
  asked.push(slow.hash("owner", { person: "home", isUrgent: true }));
  expect(begun).toEqual(["guess 0", "guess 1"]);
  running[0]?.resolve(Buffer.alloc(32));
  await asked[0];
  await setImmediate();
  expect(begun).toEqual(["guess 0", "guess 1", "owner"]);
});

const password = "correct horse";

/** Number of hashes computed for one call. */
async function workOf(call: () => Promise<Response>): Promise<number> {
  const before = hashes;
  await (await call()).text();
  return hashes - before;
}

// PROMISE mails: Everybody who asks for a mail gets the same answer
test.each(["0", "1"])("with EMAIL_CONFIRMATION=%s every answer takes the same work for every address", async (confirmation) => {
  const mail = await startMailServer();
  const server = await startTestServer({ env: { ...mail.env, EMAIL_CONFIRMATION: confirmation }, passwords });
  const register = (email: string) => post(server, "/auth/register", { email, password, name: "evil.example click here" });
  await register("unproven@example.org");
  await register("known@example.org");
  const db = await openTestDb(server.dataDir);
  const row = await db.selectFrom("users").selectAll().where("is_superuser", "=", 1).executeTakeFirstOrThrow();
  const about = { is_superuser: 0, email_verified: 1 };
  const others = [
    { ...row, ...about, id: "proven", email: "proven@example.org", name: "Proven" },
    { ...row, ...about, id: "federated", email: "federated@example.org", password_hash: "" },
  ];
  await db.insertInto("users").values(others).execute();
  await db.destroy();
  const kinds = ["unproven", "known", "proven", "federated", "unknown"].map((kind) => `${kind}@example.org`);
  const logins = [];
  const resets = [];
  const resends = [];
  for (const email of kinds) {
    logins.push(await workOf(() => post(server, "/auth/login", { email, password: "wrong horse" })));
    resets.push(await workOf(() => post(server, "/auth/forgot-password", { email })));
    resends.push(await workOf(() => post(server, "/auth/resend-confirmation", { email })));
  }
  const registrations = [];
  for (const email of kinds) registrations.push(await workOf(() => register(email)));
  expect(logins).toEqual(kinds.map(() => 1));
  expect(registrations).toEqual(kinds.map(() => 1));
  expect(resets).toEqual(kinds.map(() => 0));
  expect(resends).toEqual(kinds.map(() => 0));
  // The mails are sent after the answers. Mails to unverified addresses contain no name.
  await expect.poll(() => mail.received.filter(({ to }) => to.includes("proven@example.org")).length).toBeGreaterThan(0);
  await expect.poll(() => mail.received.filter(({ to }) => to.includes("unproven@example.org")).length).toBeGreaterThan(0);
  expect(mail.received.some(({ raw }) => raw.includes("click here"))).toBe(false);
  expect(mail.received.some(({ raw }) => raw.includes("Hello Proven,"))).toBe(true);
});
