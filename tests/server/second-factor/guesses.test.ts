import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { codePace, createThrottle, knownCodePace } from "#server/session/throttle.ts";
import { openTestDb } from "#tests/server/database.ts";
import { type Person, refusal, signUp, startTestServer, temporaryFolder, testClock } from "#tests/server/harness.ts";
import { openVisitor, type Visitor } from "#tests/server/visitor.ts";
import { codeAt, password, turnOn } from "./second-steps.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const wrong = "000000";
const chosen = "an unlikely 7 horses";

/**
 * A person with two-step sign-in whose own browser has given a right code, for tests of an attacker with access to the
 * mails.
 */
async function start() {
  const clock = testClock();
  const server = await startTestServer({ now: clock.now, env: { TRUST_PROXY: "1", EMAIL_CONFIRMATION: "0" } });
  const person = await signUp(server);
  const factor = await turnOn(person, clock);
  const call = (visitor: Visitor, path: string, body: unknown) => visitor.post(`${server.apiUrl}${path}`, body);
  const signIn = (visitor: Visitor, secret: string) => call(visitor, "/auth/login", { email: person.email, password: secret });
  const type = (visitor: Visitor, code: string) => call(visitor, "/auth/second-factor", { code });
  const own = openVisitor("192.0.2.1");
  await signIn(own, password);
  expect((await type(own, await codeAt(factor.secret, clock.now()))).status).toBe(200);
  return { clock, server, person, call, signIn, type, own, ...factor };
}

/** The token in the newest mail that has one. */
async function newestToken(dataDir: string, { email }: Person): Promise<string | undefined> {
  await using db = await openTestDb(dataDir);
  const mails = db.selectFrom("mails").select("text").where("recipient", "=", email).where("text", "like", "%#token=%");
  const newest = await mails.orderBy("created_at", "desc").orderBy("id").executeTakeFirst();
  return /#token=([\w-]+)/.exec(newest?.text ?? "")?.[1];
}

// PROMISE security: Nobody can give guesses of a code their allowance back
test("a reader of the mails can guess at most fifty codes a day without locking the owner out", async () => {
  const { clock, server, person, call, signIn, type, own, secret, recoveryCodes } = await start();
  let guesses = 0;
  /** Guesses codes in new sign-ins until the server refuses more. */
  const guess = async (visitor: Visitor) => {
    for (;;) {
      expect(await refusal(await signIn(visitor, chosen))).toBe("403 secondFactorRequired");
      for (let tries = 0; tries < 5; tries++) {
        const answer = await refusal(await type(visitor, wrong));
        if (answer === "429 tooManyRequests") return;
        expect(answer).toBe("403 wrongCode");
        guesses++;
      }
    }
  };
  let resets = 0;
  const reset = async (visitor: Visitor) => {
    await call(visitor, "/auth/forgot-password", { email: person.email });
    const token = await newestToken(server.dataDir, person);
    if ((await call(visitor, "/auth/reset-password", { token, password: chosen })).status === 200) resets++;
  };
  const known = openVisitor("203.0.113.1");
  for (let passed = 0; passed < day; passed += 30 * minute) {
    await reset(known);
    await guess(known);
    await guess(openVisitor(`203.0.113.${2 + passed / (30 * minute)}`));
    clock.advance(30 * minute);
  }
  expect(resets).toBeGreaterThan(40);
  expect(guesses).toBeGreaterThan(20);
  expect(guesses).toBeLessThanOrEqual(50);
  // Right after the last guess the owner signs in with the known browser, or anywhere with a recovery code.
  await guess(known);
  await signIn(own, chosen);
  expect((await type(own, await codeAt(secret, clock.now()))).status).toBe(200);
  const elsewhere = openVisitor("192.0.2.2");
  await signIn(elsewhere, chosen);
  expect(await refusal(await type(elsewhere, await codeAt(secret, clock.now() + 30_000)))).toBe("429 tooManyRequests");
  expect((await type(elsewhere, recoveryCodes[0] ?? "")).status).toBe(200);
});

test("a right code gives back only its own guess, and a session can't give back guesses", async () => {
  const { clock, person, call, signIn, type, secret, recoveryCodes } = await start();
  const visitor = openVisitor("203.0.113.1");
  for (let tries = 0; tries < 9; tries++) {
    await signIn(visitor, password);
    expect(await refusal(await type(visitor, wrong))).toBe("403 wrongCode");
  }
  await signIn(visitor, password);
  expect((await type(visitor, recoveryCodes[0] ?? "")).status).toBe(200);
  // No second factor is being set up, so these calls are not counted.
  for (let tries = 0; tries < 20; tries++) {
    expect(await refusal(await person.call("POST", "/users/me/second-factor/confirmation", { code: wrong }))).toBe("410 gone");
  }
  await call(visitor, "/auth/logout", {});
  const other = openVisitor("203.0.113.2");
  await signIn(other, password);
  clock.advance(30_000);
  expect((await type(other, await codeAt(secret, clock.now()))).status).toBe(200);
  const rest = async (address: string) => {
    const next = openVisitor(address);
    await signIn(next, password);
    return [await refusal(await type(next, wrong)), await refusal(await type(next, wrong))];
  };
  // Unknown devices have fifteen guesses; nine are used up.
  expect((await Promise.all(["203.0.113.3", "203.0.113.4", "203.0.113.5"].map(rest))).flat()).toEqual(
    Array(6).fill("403 wrongCode"),
  );
  expect(await rest("203.0.113.6")).toEqual(["429 tooManyRequests", "429 tooManyRequests"]);
});

test("known and unknown devices together have at most fifty codes in any twenty-four hours", async () => {
  const clock = testClock();
  await using db = await openTestDb(await temporaryFolder());
  const throttle = createThrottle(db, clock.now);
  const taken: number[] = [];
  for (let passed = 0; passed <= 3 * day; passed += 12 * minute) {
    for (const pace of [codePace, knownCodePace]) {
      while (await throttle.take(pace, "ada")) taken.push(clock.now());
    }
    clock.advance(12 * minute);
  }
  const within = (from: number) => taken.filter((at) => at >= from && at <= from + day).length;
  expect(Math.max(...taken.map(within))).toBe(50);
});

/** Each call that gives back allowance, and the proof it needs from a caller, who then has no more to guess there. */
const givenBack = {
  "account/owner.ts accountLimit": "the password of the session's own account",
  "account/routes.ts accountLimit": "a mailed link of this account, whose password it has just replaced",
  "account/routes.ts everywhereLimit": "the same",
  "second-factor/counted-code.ts pace": "a right code, which gives back what it has taken",
  "second-factor/counted-code.ts limit": "a right code, for this account on this device or network",
  "session/sign-in-limits.ts deviceLimit": "the password of this account, on this device",
  "session/sign-in-limits.ts accountLimit": "the password of this account, on this network",
  "sharing/visitor-routes.ts sharedLimit": "the passphrase of this link, on this network",
};

test("only the listed calls give back allowance", () => {
  const folder = `${import.meta.dirname}/../../../server`;
  const found = globSync("**/*.ts", { cwd: folder }).flatMap((file) =>
    [...readFileSync(`${folder}/${file}`, "utf8").matchAll(/throttle\.(?:reset|giveBack)\((\w+)/g)].map(
      ([, of]) => `${file} ${of}`,
    ),
  );
  expect(found.toSorted()).toEqual(Object.keys(givenBack).toSorted());
});
