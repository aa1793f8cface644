import { describe, expect, test } from "vitest";
import { LoginAnswer, maxPasskeys, PasskeysAnswer, RecentSignInsAnswer } from "#contract/index.ts";
import { openTestDb } from "#tests/server/database.ts";
import { asPerson, post, read, refusal, signInAgain, signUp, startTestServer, testClock } from "#tests/server/harness.ts";
import { turnOn, typePassword } from "#tests/server/second-factor/second-steps.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";
import { openVisitor } from "#tests/server/visitor.ts";
import { openAuthenticator, type Wrong } from "./authenticator.ts";
import { add, offered, password, path, requested, send, use } from "./passkeys.ts";

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
const listed = async (person: Awaited<ReturnType<typeof signUp>>) =>
  (await read(await person.call("GET", path), 200, PasskeysAnswer)).passkeys;

describe("passkey", () => {
  test("adding a passkey needs the password, ends other sessions, sends a mail and allows to sign in", async () => {
    const { clock, server, person } = await start();
    const other = await signInAgain(server, person);
    expect(await refusal(await person.call("POST", `${path}/challenge`, { password: "wrong" }))).toBe("403 wrongPassword");
    const { authenticator, passkey } = await add(server, person);
    expect(passkey).toMatchObject({ name: "My phone", createdAt: "2026-03-01T12:00:00.000Z", lastUsedAt: null, synced: false });
    expect((await other.call("GET", "/users/me")).status).toBe(401);
    expect(await mailsTo(server.dataDir, person.email)).toEqual(["A passkey was added to your account"]);
    clock.advance(60_000);
    const visitor = openVisitor();
    const { accessToken, user } = await read(await use(server, authenticator, { visitor }), 200, LoginAnswer);
    expect(user?.email).toBe(person.email);
    expect(visitor.cookies.has("parlance_refresh")).toBe(true);
    const again = asPerson(server, accessToken, person.email);
    expect(await listed(again)).toMatchObject([{ id: passkey.id, lastUsedAt: "2026-03-01T12:01:00.000Z" }]);
    const { signIns } = await read(await again.call("GET", "/users/me/sign-ins"), 200, RecentSignInsAnswer);
    expect(signIns[0]).toMatchObject({ method: "passkey", current: true });
  });

  test("requests a passkey for the configured address, whatever the request's headers say", async () => {
    const { server, person } = await start({
      env: { PUBLIC_URL: "https://speech.example.org", API_URL: "https://api.example.org" },
    });
    const headers = { Host: "evil.example", Origin: "https://speech.example.org", "X-Forwarded-Host": "evil.example" };
    const creation = await (await person.call("POST", `${path}/challenge`, { password }, headers)).json();
    expect(creation).toMatchObject({ rp: { id: "speech.example.org" }, attestation: "none" });
    expect(await requested(server)).toMatchObject({ rpId: "speech.example.org", userVerification: "required" });
  });

  test("renames a passkey, and removing it needs the password and ends other sessions", async () => {
    const { server, person } = await start();
    const { authenticator, passkey } = await add(server, person);
    const own = `${path}/${passkey.id}`;
    expect(await refusal(await person.call("PATCH", own, { name: " " }))).toBe("400 badRequest");
    expect((await person.call("PATCH", own, { name: " Blue key " })).status).toBe(204);
    expect(await listed(person)).toMatchObject([{ name: "Blue key" }]);
    const elsewhere = asPerson(
      server,
      (await read(await use(server, authenticator), 200, LoginAnswer)).accessToken,
      person.email,
    );
    expect(await refusal(await person.call("DELETE", own, { password: "wrong" }))).toBe("403 wrongPassword");
    expect((await person.call("DELETE", own, { password })).status).toBe(204);
    expect(await refusal(await person.call("DELETE", own, { password }))).toBe("404 notFound");
    expect((await elsewhere.call("GET", "/users/me")).status).toBe(401);
    expect(await refusal(await use(server, authenticator))).toBe("401 passkeyUnknown");
    expect(await mailsTo(server.dataDir, person.email)).toContain("A passkey was removed from your account");
  });

  test("refuses to rename, remove or add another person's passkey", async () => {
    const { server, person } = await start();
    const { authenticator, passkey } = await add(server, person);
    const other = await signUp(server);
    expect(await refusal(await other.call("PATCH", `${path}/${passkey.id}`, { name: "Mine" }))).toBe("404 notFound");
    expect(await refusal(await other.call("DELETE", `${path}/${passkey.id}`, { password }))).toBe("404 notFound");
    const made = authenticator.make(await offered(other));
    expect(await refusal(await other.call("POST", path, { name: "Mine", made }))).toBe("409 conflict");
    expect(await listed(other)).toEqual([]);
  });

  test("limits a user's passkeys to twenty", async () => {
    const { server, person } = await start();
    const { passkey } = await add(server, person);
    const late = openAuthenticator(server.pageUrl).make(await offered(person));
    const db = await openTestDb(server.dataDir);
    const row = await db.selectFrom("passkeys").selectAll().where("id", "=", passkey.id).executeTakeFirstOrThrow();
    for (let n = 1; n < maxPasskeys; n++)
      await db
        .insertInto("passkeys")
        .values({ ...row, id: `${n}`, credential_id: `${n}` })
        .execute();
    await db.destroy();
    expect(await refusal(await person.call("POST", `${path}/challenge`, { password }))).toBe("429 tooManyAtOnce");
    expect(await refusal(await person.call("POST", path, { name: "Late", made: late }))).toBe("429 tooManyAtOnce");
  });

  test("refuses to add a passkey in another session or after a change of the password", async () => {
    const { server, person } = await start();
    const other = await signInAgain(server, person);
    const made = openAuthenticator(server.pageUrl).make(await offered(person));
    expect(await refusal(await other.call("POST", path, { name: "Mine", made }))).toBe("410 passkeyExpired");
    const late = openAuthenticator(server.pageUrl).make(await offered(person));
    const change = { currentPassword: password, newPassword: "battery staple" };
    expect((await person.call("POST", "/users/me/password", change)).status).toBe(200);
    expect(await refusal(await person.call("POST", path, { name: "Mine", made: late }))).toBe("410 passkeyExpired");
  });
});

describe("refused new passkey", () => {
  const wrongs: [string, Wrong, string][] = [
    ["made on another page", { origin: "https://evil.example" }, "401 passkeyRefused"],
    ["made for another domain", { rpId: "evil.example" }, "401 passkeyRefused"],
    ["signs in instead", { type: "webauthn.get" }, "401 passkeyRefused"],
    ["has asked nobody for finger, face or PIN", { unverified: true }, "401 passkeyRefused"],
    ["for a challenge that nobody gave", { challenge: "a".repeat(43) }, "410 passkeyExpired"],
    ["with certificates that nobody has asked for", { format: "apple" }, "401 passkeyRefused"],
  ];

  test("refuses a new passkey with wrong data and uses up its challenge", async () => {
    const { server, person } = await start();
    for (const [what, wrong, expected] of wrongs) {
      const options = await offered(person);
      const answer = await person.call("POST", path, {
        name: "Mine",
        made: openAuthenticator(server.pageUrl).make(options, wrong),
      });
      expect(await refusal(answer), what).toBe(expected);
      if (wrong.challenge !== undefined) continue;
      const made = openAuthenticator(server.pageUrl).make(options);
      expect(await refusal(await person.call("POST", path, { name: "Mine", made })), what).toBe("410 passkeyExpired");
    }
    expect(await listed(person)).toEqual([]);
  });

  test("refuses malformed and oversized data as a new passkey", async () => {
    const { server, person } = await start();
    const made = openAuthenticator(server.pageUrl).make(await offered(person));
    const odd = (response: object) =>
      person.call("POST", path, { name: "Mine", made: { ...made, response: { ...made.response, ...response } } });
    expect(await refusal(await odd({ attestationObject: "a".repeat(40_000) }))).toBe("400 badRequest");
    expect(await refusal(await odd({ clientDataJSON: Buffer.from("{]").toString("base64url") }))).toBe("401 passkeyRefused");
    expect(
      await refusal(await odd({ attestationObject: Buffer.from([0xbb, 255, 255, 255, 255, 255]).toString("base64url") })),
    ).toBe("401 passkeyRefused");
  });
});

describe("refused sign-in with a passkey", () => {
  const wrongs: [string, Wrong, string][] = [
    ["on another page", { origin: "https://evil.example" }, "401 passkeyRefused"],
    ["with another domain's passkey", { rpId: "evil.example" }, "401 passkeyRefused"],
    ["with what was signed to add one", { type: "webauthn.create" }, "401 passkeyRefused"],
    ["without finger, face or PIN", { unverified: true }, "401 passkeyRefused"],
    ["for a challenge that nobody gave", { challenge: "a".repeat(43) }, "410 passkeyExpired"],
    ["by a passkey that nobody has added", { id: "b".repeat(43) }, "401 passkeyUnknown"],
    ["in the name of another account", { userHandle: "c29tZWJvZHk" }, "401 passkeyRefused"],
  ];

  test("refuses a sign-in with wrong data and sets no cookie", async () => {
    const { server, person } = await start();
    const { authenticator } = await add(server, person);
    const visitor = openVisitor();
    for (const [what, wrong, expected] of wrongs)
      expect(await refusal(await use(server, authenticator, { ...wrong, visitor })), what).toBe(expected);
    expect(visitor.cookies.size).toBe(0);
    expect((await use(server, authenticator)).status).toBe(200);
  });

  test("refuses a sign-in with the id of another person's passkey", async () => {
    const { server, person } = await start();
    const { authenticator } = await add(server, person);
    const attacker = await signUp(server);
    const { authenticator: theirs } = await add(server, attacker);
    expect(await refusal(await use(server, theirs, { id: authenticator.id }))).toBe("401 passkeyRefused");
  });

  test("accepts a passkey's answer only once, even when it is sent twice at once", async () => {
    const { server, person } = await start();
    const { authenticator } = await add(server, person);
    const used = authenticator.use(await requested(server));
    const both = await Promise.all([1, 2].map(async () => (await send(server, used)).status));
    expect(both.toSorted()).toEqual([200, 410]);
    expect(await refusal(await send(server, used))).toBe("410 passkeyExpired");
  });

  test("refuses a sign-in with a challenge for adding a passkey, and the reverse", async () => {
    const { server, person } = await start();
    const { authenticator } = await add(server, person);
    const { challenge } = await offered(person);
    expect(await refusal(await use(server, authenticator, { challenge }))).toBe("410 passkeyExpired");
    const { challenge: ofSignIn } = await requested(server);
    const made = openAuthenticator(server.pageUrl).make({ ...(await offered(person)), challenge: ofSignIn });
    expect(await refusal(await person.call("POST", path, { name: "Mine", made }))).toBe("410 passkeyExpired");
  });

  test("refuses a sign-in after five minutes or when the clock has jumped by an hour", async () => {
    const { clock, server, person } = await start();
    const { authenticator } = await add(server, person);
    for (const ms of [5 * 60_000, 3_600_000, -3_600_000]) {
      const used = authenticator.use(await requested(server));
      clock.advance(ms);
      expect(await refusal(await send(server, used)), `${ms}`).toBe("410 passkeyExpired");
      expect((await use(server, authenticator)).status).toBe(200);
    }
  });

  test("refuses a passkey whose counter goes back, but accepts one that never counts", async () => {
    const { server, person } = await start();
    const { authenticator } = await add(server, person);
    expect((await use(server, authenticator, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 3, 0])
      expect(await refusal(await use(server, authenticator, { counter }))).toBe("401 passkeyCopied");
    expect((await use(server, authenticator, { counter: 8 })).status).toBe(200);
    const { authenticator: quiet } = await add(server, await signInAgain(server, person));
    for (const counter of [0, 0]) expect((await use(server, quiet, { counter })).status).toBe(200);
  });

  test("refuses a passkey's sign-in when the account is blocked or deleted", async () => {
    const { server, person } = await start();
    const { authenticator } = await add(server, person);
    const block = async (blocked_at: number | null) => {
      const db = await openTestDb(server.dataDir);
      await db.updateTable("users").set({ blocked_at }).where("email", "=", person.email).execute();
      await db.destroy();
    };
    await block(1);
    expect(await refusal(await use(server, authenticator))).toBe("403 accountBlocked");
    await block(null);
    const again = await signInAgain(server, person);
    expect((await again.call("DELETE", "/users/me", { password })).status).toBe(204);
    expect(await refusal(await use(server, authenticator))).toBe("401 passkeyUnknown");
  });

  test("refuses passkey requests from other sites and limits their number", async () => {
    const { server, person } = await start();
    const { authenticator } = await add(server, person);
    const body = JSON.stringify({ used: authenticator.use(await requested(server)) });
    const from = (headers: Record<string, string>) => fetch(`${server.apiUrl}/auth/passkey`, { method: "POST", body, headers });
    expect((await from({ "Content-Type": "text/plain" })).status).toBe(415);
    expect((await from({ "Content-Type": "application/json", Origin: "https://evil.example" })).status).toBe(403);
    const some = () => Promise.all(Array.from({ length: 51 }, () => post(server, "/auth/passkey/challenge", {})));
    for (let rounds = 0; rounds < 11; rounds++) await some();
    expect((await some()).at(-1)?.status).toBe(429);
  });
});

describe("passkey and second factor", () => {
  test("two-step sign-in asks for a code after the password but not after a passkey", async () => {
    const { clock, server, person } = await start();
    await turnOn(person, clock);
    const { authenticator } = await add(server, person);
    expect((await use(server, authenticator)).status).toBe(200);
    expect(await refusal((await typePassword(server, person.email)).answer)).toBe("403 secondFactorRequired");
  });

  test("an administrator's required second factor is met only in a session that a passkey began", async () => {
    const server = await startTestServer({ env: { ADMIN_SECOND_FACTOR: "1" } });
    const superuser = await signUpSuperuser(server);
    const { authenticator, passkey } = await add(server, superuser);
    expect(await refusal(await superuser.call("GET", "/admin/users"))).toBe("403 secondFactorNeeded");
    const { accessToken, user } = await read(await use(server, authenticator), 200, LoginAnswer);
    expect(user?.lacksSecondFactor).toBe(false);
    const admin = asPerson(server, accessToken, superuser.email);
    expect((await admin.call("GET", "/admin/users")).status).toBe(200);
    expect(await (await admin.call("GET", "/users/me")).json()).toMatchObject({ lacksSecondFactor: false });
    const { accessToken: byPassword } = await read(
      await post(server, "/auth/login", { email: superuser.email, password }),
      200,
      LoginAnswer,
    );
    expect(await refusal(await asPerson(server, byPassword).call("GET", "/admin/users"))).toBe("403 secondFactorNeeded");
    expect((await admin.call("DELETE", `${path}/${passkey.id}`, { password })).status).toBe(204);
    expect(await refusal(await admin.call("GET", "/admin/users"))).toBe("403 secondFactorNeeded");
  });
});
