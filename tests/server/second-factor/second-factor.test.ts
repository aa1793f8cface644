import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { LoginAnswer, PendingSignIn, SecondFactor, SecondFactorSecret } from "#contract/index.ts";
import { childEnv } from "#tests/fixtures/child-env.ts";
import { databaseEnv, onPostgres, openTestDb } from "#tests/server/database.ts";
import {
  asPerson,
  post,
  read,
  refusal,
  signInAgain,
  signUp,
  startTestServer,
  type TestClock,
  testClock,
} from "#tests/server/harness.ts";
import { setUp as setUpProvider, signIn as signInAtProvider } from "#tests/server/session/harness-federated.ts";
import { startWithSuperuser } from "#tests/server/superuser.ts";
import { openVisitor } from "#tests/server/visitor.ts";
import { codeAt, password, path, signedIn, turnOn, typeCode, typePassword } from "./second-steps.ts";

const start = async (options: Parameters<typeof startTestServer>[0] = {}) => {
  const clock = testClock();
  const server = await startTestServer({ now: clock.now, ...options });
  return { clock, server, person: await signUp(server) };
};
const mailsTo = async (dataDir: string, email: string) => {
  const db = await openTestDb(dataDir);
  const mails = await db.selectFrom("mails").select("subject").where("recipient", "=", email).orderBy("id").execute();
  await db.destroy();
  return mails.map(({ subject }) => subject);
};

describe("setup of two-step sign-in", () => {
  test("setup needs the password, takes effect with the first code, ends other sessions and sends a mail", async () => {
    const { clock, server, person } = await start();
    const other = asPerson(
      server,
      (await read(await post(server, "/auth/login", { email: person.email, password }), 200, LoginAnswer)).accessToken,
    );
    expect(await refusal(await person.call("POST", path, { password: "wrong" }))).toBe("403 wrongPassword");
    const { secret, uri } = await read(await person.call("POST", path, { password }), 201, SecondFactorSecret);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toBe(`otpauth://totp/Parlance:${encodeURIComponent(person.email)}?secret=${secret}&issuer=Parlance`);
    // Two-step sign-in is not in effect yet.
    expect((await typePassword(server, person.email)).answer.status).toBe(200);
    expect(await refusal(await person.call("POST", `${path}/confirmation`, { code: "000000" }))).toBe("403 wrongCode");
    const { recoveryCodes } = await turnOn(person, clock);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(recoveryCodes.every((code) => /^([\da-z]{4}-){3}[\da-z]{4}$/.test(code))).toBe(true);
    expect((await other.call("GET", "/users/me")).status).toBe(401);
    const shown = await read(await person.call("GET", path), 200, SecondFactor);
    expect(shown).toEqual({ enabledAt: "2026-03-01T12:00:00.000Z", recoveryCodesLeft: 10, required: false });
    expect(await mailsTo(server.dataDir, person.email)).toEqual(["Two-step sign-in was changed"]);
    expect(await refusal(await person.call("POST", path, { password }))).toBe("409 conflict");
  });

  test("setup expires after fifteen minutes and accepts only the latest secret", async () => {
    const { clock, server, person } = await start();
    const first = await read(await person.call("POST", path, { password }), 201, SecondFactorSecret);
    const { secret } = await read(await person.call("POST", path, { password }), 201, SecondFactorSecret);
    const confirm = async (from: string, by = person) =>
      by.call("POST", `${path}/confirmation`, { code: await codeAt(from, clock.now()) });
    expect(await refusal(await confirm(first.secret))).toBe("403 wrongCode");
    clock.advance(15 * 60_000);
    const later = await signInAgain(server, person);
    expect(await refusal(await confirm(secret, later))).toBe("410 gone");
    expect((await read(await later.call("GET", path), 200, SecondFactor)).enabledAt).toBeNull();
  });

  test("encrypts the secret for its account with a key outside of the database", async () => {
    const { clock, server, person } = await start();
    const { secret, recoveryCodes } = await turnOn(person, clock);
    const other = await signUp(server);
    await turnOn(other, clock);
    const db = await openTestDb(server.dataDir);
    const rows = await db.selectFrom("second_factors").selectAll().execute();
    const kept = JSON.stringify([rows, await db.selectFrom("recovery_codes").selectAll().execute()]);
    expect(kept).not.toContain(secret);
    for (const code of recoveryCodes) expect(kept).not.toContain(code.replaceAll("-", ""));
    // Another account's secret in this row can't be read.
    const [mine, theirs] = rows;
    await db
      .updateTable("second_factors")
      .set({ sealed_secret: theirs?.sealed_secret ?? "" })
      .where("user_id", "=", mine?.user_id ?? "")
      .execute();
    await db.destroy();
    const { visitor } = await typePassword(server, person.email);
    expect(await refusal(await typeCode(server, visitor, await codeAt(secret, clock.now())))).toBe("503 codesUnreadable");
    if (onPostgres) return;
    const file = join(server.dataDir, "second-factor-key");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readFile(join(server.dataDir, "parlance.db"))).includes((await readFile(file, "utf8")).slice(0, 64))).toBe(
      false,
    );
  });

  test("keeps two-step sign-in across a restart and with a new SECOND_FACTOR_KEY before the old one", async () => {
    const { clock, server, person } = await start({ env: { SECOND_FACTOR_KEY: "a".repeat(40) } });
    const { secret } = await turnOn(person, clock);
    await server.close();
    const env = { SECOND_FACTOR_KEY: `${"b".repeat(40)},${"a".repeat(40)}` };
    const again = await startTestServer({ now: clock.now, dataDir: server.dataDir, env });
    const { visitor } = await typePassword(again, person.email);
    expect((await typeCode(again, visitor, await codeAt(secret, clock.now()))).status).toBe(200);
  });
});

test("reports a lost SECOND_FACTOR_KEY and still accepts a recovery code", async () => {
  const { clock, server, person } = await start({ env: { SECOND_FACTOR_KEY: "a".repeat(40) } });
  const { secret, recoveryCodes } = await turnOn(person, clock);
  await server.close();
  const again = await startTestServer({ now: clock.now, dataDir: server.dataDir, env: { SECOND_FACTOR_KEY: "b".repeat(40) } });
  const { visitor } = await typePassword(again, person.email);
  expect(await refusal(await typeCode(again, visitor, await codeAt(secret, clock.now())))).toBe("503 codesUnreadable");
  expect((await typeCode(again, visitor, recoveryCodes[0] ?? "")).status).toBe(200);
});

describe("sign-in with a code", () => {
  test("gives token and refresh cookie only after the code", async () => {
    const { clock, server, person } = await start();
    const { secret } = await turnOn(person, clock);
    const { visitor, answer } = await typePassword(server, person.email);
    expect(await answer.clone().text()).not.toContain("accessToken");
    expect(await refusal(answer)).toBe("403 secondFactorRequired");
    expect([...visitor.cookies.keys()]).toEqual(["parlance_sign_in"]);
    const link = `${server.apiUrl}/auth/second-factor`;
    expect(await read(await visitor.get(link), 200, PendingSignIn)).toEqual({ email: person.email });
    expect(await refusal(await visitor.post(`${server.apiUrl}/auth/refresh`, {}))).toBe("401 unauthorized");
    const code = await codeAt(secret, clock.now());
    const again = await signedIn(server, await typeCode(server, visitor, `${code.slice(0, 3)} ${code.slice(3)}`), person.email);
    expect((await again.call("GET", "/users/me")).status).toBe(200);
    expect(visitor.cookies.has("parlance_refresh")).toBe(true);
    expect(visitor.cookies.has("parlance_sign_in")).toBe(false);
    expect(await refusal(await visitor.get(link))).toBe("410 gone");
  });

  test("a wrong password does not reveal that the account has a second factor", async () => {
    const { clock, server, person } = await start();
    await turnOn(person, clock);
    const answer = await post(server, "/auth/login", { email: person.email, password: "wrong horse" });
    expect(await refusal(answer)).toBe("401 badCredentials");
  });

  test.each([
    ["a step early", 30_000, "200"],
    ["a step late", -30_000, "200"],
    ["two steps late", -60_000, "403 wrongCode"],
    ["an hour late", -3_600_000, "403 wrongCode"],
    ["an hour early", 3_600_000, "403 wrongCode"],
  ])("checks a code from a clock that is %s", async (_, wrong, expected) => {
    const { clock, server, person } = await start();
    const { secret } = await turnOn(person, clock);
    clock.advance(120_000);
    const { visitor } = await typePassword(server, person.email);
    const answer = await typeCode(server, visitor, await codeAt(secret, clock.now() + wrong));
    if (expected === "200") expect(answer.status).toBe(200);
    else {
      expect(await answer.clone().text()).toContain("Check the clock");
      expect(await refusal(answer)).toBe(expected);
    }
  });

  test("accepts no code twice and none older than the last, even when two arrive at once", async () => {
    const { clock, server, person } = await start();
    const { secret } = await turnOn(person, clock);
    const code = await codeAt(secret, clock.now());
    const visitors = await Promise.all([1, 2].map(async () => (await typePassword(server, person.email)).visitor));
    const both = await Promise.all(visitors.map(async (visitor) => (await typeCode(server, visitor, code)).status));
    expect(both.toSorted()).toEqual([200, 403]);
    const { visitor } = await typePassword(server, person.email);
    expect(await refusal(await typeCode(server, visitor, code))).toBe("403 wrongCode");
    expect(await refusal(await typeCode(server, visitor, await codeAt(secret, clock.now() - 30_000)))).toBe("403 wrongCode");
  });

  test("accepts each recovery code once in any spelling, and sends a mail about its use", async () => {
    const { clock, server, person } = await start();
    const { recoveryCodes } = await turnOn(person, clock);
    const [code = ""] = recoveryCodes;
    const { visitor } = await typePassword(server, person.email);
    const typed = ` ${code.toUpperCase().replaceAll("-", " ").replaceAll("0", "O").replaceAll("1", "I")} `;
    const again = await signedIn(server, await typeCode(server, visitor, typed), person.email);
    expect((await read(await again.call("GET", path), 200, SecondFactor)).recoveryCodesLeft).toBe(9);
    expect(await mailsTo(server.dataDir, person.email)).toContain("A recovery code of your account was used");
    const second = await typePassword(server, person.email);
    expect(await refusal(await typeCode(server, second.visitor, code))).toBe("403 wrongCode");
  });

  test("a pending sign-in ends after five minutes, five codes or a change of the password", async () => {
    const { clock, server, person } = await start();
    const { secret, recoveryCodes } = await turnOn(person, clock);
    const [one = "", two = "", three = ""] = recoveryCodes;
    const late = await typePassword(server, person.email);
    clock.advance(5 * 60_000);
    expect(await refusal(await typeCode(server, late.visitor, await codeAt(secret, clock.now())))).toBe("410 gone");
    expect(await refusal(await typeCode(server, openVisitor(), one))).toBe("410 gone");
    const guessing = await typePassword(server, person.email);
    for (let tries = 0; tries < 5; tries++) expect((await typeCode(server, guessing.visitor, "000000")).status).toBe(403);
    expect(await refusal(await typeCode(server, guessing.visitor, two))).toBe("410 gone");
    const before = await typePassword(server, person.email);
    const change = { currentPassword: password, newPassword: "battery staple" };
    expect((await person.call("POST", "/users/me/password", change)).status).toBe(200);
    expect(await refusal(await typeCode(server, before.visitor, three))).toBe("410 gone");
  });

  test("counts wrong codes of all sign-ins of an account together and lets the owner in later", async () => {
    const { clock, server, person } = await start();
    const { secret } = await turnOn(person, clock);
    for (const _ of [1, 2]) {
      const { visitor } = await typePassword(server, person.email);
      for (let tries = 0; tries < 5; tries++) await typeCode(server, visitor, "000000");
    }
    const { visitor } = await typePassword(server, person.email);
    const refused = await typeCode(server, visitor, await codeAt(secret, clock.now()));
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(60);
    expect(await refusal(refused)).toBe("429 tooManyRequests");
    clock.advance(15 * 60_000);
    const later = await typePassword(server, person.email);
    expect((await typeCode(server, later.visitor, await codeAt(secret, clock.now()))).status).toBe(200);
  });

  test("refuses a code from another site's page", async () => {
    const { clock, server, person } = await start();
    const { recoveryCodes } = await turnOn(person, clock);
    const { visitor } = await typePassword(server, person.email);
    const Cookie = `parlance_sign_in=${visitor.cookies.get("parlance_sign_in")}`;
    const body = JSON.stringify({ code: recoveryCodes[0] });
    const send = (headers: Record<string, string>) =>
      fetch(`${server.apiUrl}/auth/second-factor`, { method: "POST", body, headers: { Cookie, ...headers } });
    expect((await send({ "Content-Type": "text/plain" })).status).toBe(415);
    expect((await send({ "Content-Type": "application/json", Origin: "https://evil.example" })).status).toBe(403);
  });
});

describe("sign-in through a provider with a code", () => {
  test("a sign-in through a provider and linking a provider need the code", async () => {
    let passed = 0;
    // The provider's clock is the machine's clock.
    const clock: TestClock = {
      now: () => Date.now() + passed,
      advance: (ms) => {
        passed += ms;
      },
    };
    const { server, start: startAt } = await setUpProvider({ now: clock.now });
    const email = "ada@example.org";
    const { accessToken } = await read(await post(server, "/auth/register", { email, password }), 201, LoginAnswer);
    const { recoveryCodes } = await turnOn(asPerson(server, accessToken, email), clock);
    const [one = "", two = "", three = ""] = recoveryCodes;
    const visitor = openVisitor();
    expect((await signInAtProvider(startAt, "ada", visitor)).searchParams.get("error")).toBe("linkRequired");
    const link = `${server.apiUrl}/auth/link`;
    expect(await refusal(await visitor.post(link, { password }))).toBe("403 secondFactorRequired");
    expect(visitor.cookies.has("parlance_refresh")).toBe(false);
    // Nothing is linked yet.
    expect((await signInAtProvider(startAt, "ada")).searchParams.get("error")).toBe("linkRequired");
    // The other browser's pending sign-in has replaced this one.
    expect(await refusal(await typeCode(server, visitor, one))).toBe("410 gone");
    const linking = openVisitor();
    await signInAtProvider(startAt, "ada", linking);
    await linking.post(link, { password });
    expect((await typeCode(server, linking, two)).status).toBe(200);
    const next = openVisitor();
    expect((await signInAtProvider(startAt, "ada", next)).searchParams.get("error")).toBe("secondFactorRequired");
    expect(next.cookies.has("parlance_refresh")).toBe(false);
    const answer = await typeCode(server, next, three);
    expect((await read(answer, 200, LoginAnswer)).user?.email).toBe(email);
  });
});

describe("change of two-step sign-in", () => {
  test("turning two-step sign-in off and new recovery codes need the password and a code", async () => {
    const { clock, server, person } = await start();
    const { secret, recoveryCodes } = await turnOn(person, clock);
    const [one = "", two = ""] = recoveryCodes;
    const renew = `${path}/recovery-codes`;
    expect(await refusal(await person.call("POST", renew, { password: "wrong", code: one }))).toBe("403 wrongPassword");
    expect(await refusal(await person.call("POST", renew, { password, code: "000000" }))).toBe("403 wrongCode");
    expect((await person.call("POST", renew, { password, code: one })).status).toBe(200);
    expect(await refusal(await person.call("DELETE", path, { password, code: two }))).toBe("403 wrongCode");
    const code = await codeAt(secret, clock.now());
    expect(await refusal(await person.call("DELETE", path, { password: "wrong", code }))).toBe("403 wrongPassword");
    expect((await person.call("DELETE", path, { password, code })).status).toBe(204);
    expect(await refusal(await person.call("DELETE", path, { password, code }))).toBe("410 gone");
    expect((await typePassword(server, person.email)).answer.status).toBe(200);
    expect(await mailsTo(server.dataDir, person.email)).toHaveLength(3);
  });
});

describe("lost device and recovery codes", () => {
  const cli = join(import.meta.dirname, "../../../scripts/second-factor.ts");
  const command = (dataDir: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", cli, ...args], {
      env: { ...childEnv(), PARLANCE_DATA: dataDir, ...databaseEnv(dataDir) },
    });

  test("the operator's command removes two-step sign-in, ends every session and sends a mail", async () => {
    // The command uses the machine's clock.
    const clock = testClock(Date.now());
    const server = await startTestServer({ now: clock.now });
    const person = await signUp(server);
    await turnOn(person, clock);
    const { stdout } = await command(server.dataDir, "remove", person.email.toUpperCase());
    expect(stdout).toContain(`${person.email} now signs in with the password alone`);
    expect((await person.call("GET", "/users/me")).status).toBe(401);
    expect((await typePassword(server, person.email)).answer.status).toBe(200);
    expect(await mailsTo(server.dataDir, person.email)).toHaveLength(2);
    await expect(command(server.dataDir, "remove", person.email)).rejects.toMatchObject({
      code: 1,
      stderr: `${person.email} has no two-step sign-in.\n`,
    });
  });
});

describe("second factor of administrators", () => {
  test("an administrator needs two-step sign-in on a server that requires it", async () => {
    const clock = testClock();
    const { server, superuser } = await startWithSuperuser({ now: clock.now, env: { ADMIN_SECOND_FACTOR: "1" } });
    expect(await refusal(await superuser.call("GET", "/admin/users"))).toBe("403 secondFactorNeeded");
    expect(await refusal(await superuser.call("GET", "/admin/blog"))).toBe("403 secondFactorNeeded");
    expect(await (await superuser.call("GET", "/users/me")).json()).toMatchObject({ lacksSecondFactor: true });
    expect((await superuser.call("GET", path)).status).toBe(200);
    const person = await signUp(server);
    expect(await (await person.call("GET", "/users/me")).json()).toMatchObject({ lacksSecondFactor: false });
    expect(await refusal(await person.call("GET", "/admin/users"))).toBe("401 adminRequired");
    const db = await openTestDb(server.dataDir);
    await db.updateTable("users").set({ is_superuser: 1 }).where("email", "=", person.email).execute();
    await db.destroy();
    await turnOn(person, clock);
    expect((await person.call("GET", "/admin/users")).status).toBe(200);
  });
});
