import { describe, expect, test } from "vitest";
import { ErrorBody, LoginAnswer, PendingLinkAnswer, SignInMethodsAnswer } from "#contract/index.ts";
import { openTestDb } from "#tests/server/database.ts";
import { asPerson, post, read, refusal } from "#tests/server/harness.ts";
import { openVisitor, type Visitor, windowAnswer } from "#tests/server/visitor.ts";
import { failed, people, profileOf, setUp, signIn } from "./harness-federated.ts";

const password = "correct horse";
const email = "ada@example.org";

/** An account with a password, and a provider that knows the same e-mail. */
async function withAccount(options: Parameters<typeof setUp>[0] = {}) {
  const harness = await setUp(options);
  const { accessToken } = await read(await post(harness.server, "/auth/register", { email, password }), 201, LoginAnswer);
  return { ...harness, person: asPerson(harness.server, accessToken, email), link: `${harness.server.apiUrl}/auth/link` };
}

/** A browser with a session of this account. */
async function signedIn(server: { apiUrl: string }): Promise<{ visitor: Visitor; token: string }> {
  const visitor = openVisitor();
  const answer = await visitor.post(`${server.apiUrl}/auth/login`, { email, password });
  return { visitor, token: (await read(answer, 200, LoginAnswer)).accessToken };
}

const methods = async (person: ReturnType<typeof asPerson>) =>
  read(await person.call("GET", "/users/me/sign-in-methods"), 200, SignInMethodsAnswer);
const alive = async (person: ReturnType<typeof asPerson>) => (await person.call("GET", "/users/me")).status === 200;

describe("provider's account with the e-mail of an account with a password", () => {
  // PROMISE sign-in: A provider's account never opens an account with a password by itself
  test("the password links the provider's account once and ends every other session", async () => {
    const { server, start, person, link } = await withAccount();
    const visitor = openVisitor();
    expect((await signIn(start, "ada", visitor)).href).toBe(failed(server, "linkRequired"));
    expect(visitor.cookies.has("parlance_refresh")).toBe(false);
    expect(await read(await visitor.get(link), 200, PendingLinkAnswer)).toMatchObject({ email, theirEmail: email });
    const { accessToken, user } = await read(await visitor.post(link, { password }), 200, LoginAnswer);
    expect(user).toMatchObject({ email, hasPassword: true });
    expect(visitor.cookies.has("parlance_refresh")).toBe(true);
    expect(await alive(asPerson(server, accessToken))).toBe(true);
    expect(await alive(person)).toBe(false);
    expect(visitor.cookies.has("parlance_link")).toBe(false);
    expect(await refusal(await visitor.post(link, { password }))).toBe("410 gone");
    const again = openVisitor();
    expect(await profileOf(server, await signIn(start, "ada", again), again)).toMatchObject({ id: user?.id });
    expect((await post(server, "/auth/login", { email, password })).status).toBe(200);
  });

  test.each([
    ["is confirmed", { email_verified: 1 }],
    ["is a superuser's", { email_verified: 1, is_superuser: 1 }],
  ])("a provider's account opens no account with a password, even when its address %s", async (_, change) => {
    const { server, start } = await withAccount();
    const db = await openTestDb(server.dataDir);
    await db.updateTable("users").set(change).where("email", "=", email).execute();
    await db.destroy();
    const visitor = openVisitor();
    expect((await signIn(start, "ada", visitor)).href).toBe(failed(server, "linkRequired"));
    // The first attempt has linked nothing either.
    expect((await signIn(start, "ada")).href).toBe(failed(server, "linkRequired"));
    expect(await refusal(await post(server, "/auth/refresh", {}))).toBe("401 unauthorized");
  });

  test("offers no link when the provider has not checked the address", async () => {
    const { server, start, link } = await withAccount();
    const visitor = openVisitor();
    expect((await signIn(start, "eve", visitor)).href).toBe(failed(server, "accountExists"));
    expect(await refusal(await visitor.post(link, { password }))).toBe("410 gone");
  });

  test("counts wrong passwords for a link like those of a sign-in and ends the link after five", async () => {
    const { server, start, link } = await withAccount();
    const visitor = openVisitor();
    await signIn(start, "ada", visitor);
    for (let tries = 0; tries < 5; tries++) {
      expect(await refusal(await visitor.post(link, { password: "wrong horse" }))).toBe("403 wrongPassword");
    }
    expect(await refusal(await visitor.post(link, { password }))).toBe("410 gone");
    for (let tries = 0; tries < 5; tries++) await post(server, "/auth/login", { email, password: "wrong horse" });
    expect(await refusal(await post(server, "/auth/login", { email, password }))).toBe("429 tooManyRequests");
  });

  test("a pending link works only in its browser, for ten minutes and with the same password", async () => {
    let late = 0;
    const { server, start, person, link } = await withAccount({ now: () => Date.now() + late });
    const visitor = openVisitor();
    await signIn(start, "ada", visitor);
    expect(await refusal(await openVisitor().post(link, { password }))).toBe("410 gone");
    const guessing = openVisitor();
    guessing.cookies.set("parlance_link", "A".repeat(43));
    expect(await refusal(await guessing.post(link, { password }))).toBe("410 gone");
    late = 10 * 60_000;
    expect(await refusal(await visitor.post(link, { password }))).toBe("410 gone");
    late = 0;
    const change = { currentPassword: password, newPassword: "battery staple" };
    expect((await person.call("POST", "/users/me/password", change)).status).toBe(200);
    expect(await refusal(await visitor.post(link, { password: "battery staple" }))).toBe("410 gone");
    expect((await post(server, "/auth/login", { email, password: "battery staple" })).status).toBe(200);
  });

  test("refuses to link for another site's page", async () => {
    const { start, link } = await withAccount();
    const visitor = openVisitor();
    await signIn(start, "ada", visitor);
    const cookie = `parlance_link=${visitor.cookies.get("parlance_link")}`;
    const send = (headers: Record<string, string>) =>
      fetch(link, { method: "POST", body: JSON.stringify({ password }), headers: { Cookie: cookie, ...headers } });
    expect((await send({ "Content-Type": "text/plain" })).status).toBe(415);
    const json = { "Content-Type": "application/json", Origin: "https://evil.example" };
    expect((await send(json)).status).toBe(403);
  });

  test("the popup tells the page that a link is required", async () => {
    const { server, start } = await withAccount();
    const visitor = openVisitor();
    const answer = await visitor.get(await visitor.signInAtProvider(`${start}?popup=1`, "ada"));
    const { message, there } = await windowAnswer(answer);
    expect(message).toEqual({ type: "AUTH_FAILURE", code: "linkRequired" });
    expect(there.href).toBe(failed(server, "linkRequired"));
  });

  test("no provider's account can claim the first superuser's address", async () => {
    const { provider, server, start } = await setUp();
    const claim = { email: "Superuser@parlance.local", email_verified: true };
    provider.serve(server.apiUrl, { mallory: claim });
    expect((await signIn(start, "mallory")).href).toBe(failed(server, "accountExists"));
    const db = await openTestDb(server.dataDir);
    await db.updateTable("users").set({ email: "boss@example.org" }).execute();
    await db.destroy();
    expect((await signIn(start, "mallory")).href).toBe(failed(server, "accountExists"));
  });
});

describe("provider's account linked in the settings", () => {
  test("a person links a provider with any address, and unlinking needs the password and ends other sessions", async () => {
    const { provider, server, start, person, link } = await withAccount();
    provider.serve(server.apiUrl, { ada: { email: "elsewhere@example.net", email_verified: false } });
    expect(await methods(person)).toMatchObject({ provider: "Google", linked: [], confirmedUntil: null });
    const { visitor } = await signedIn(server);
    expect((await signIn(`${start}?purpose=link`, "ada", visitor)).href).toBe(failed(server, "linkRequired"));
    expect(await read(await visitor.get(link), 200, PendingLinkAnswer)).toMatchObject({
      email,
      theirEmail: "elsewhere@example.net",
    });
    const { accessToken } = await read(await visitor.post(link, { password }), 200, LoginAnswer);
    const here = asPerson(server, accessToken);
    expect((await methods(here)).linked).toEqual([{ issuer: provider.issuer, linkedAt: expect.stringMatching(/^\d{4}-.*Z$/) }]);
    const other = openVisitor();
    expect((await profileOf(server, await signIn(start, "ada", other), other)).email).toBe(email);
    const unlink = (typed: string) => here.call("DELETE", "/users/me/identities", { password: typed });
    expect(await refusal(await unlink("wrong horse"))).toBe("403 wrongPassword");
    expect((await unlink(password)).status).toBe(204);
    expect((await methods(here)).linked).toEqual([]);
    expect((await other.post(`${server.apiUrl}/auth/refresh`, {})).status).toBe(401);
  });

  test("refuses to link another account's identity, without a session, or in a changed session", async () => {
    const { server, start } = await withAccount();
    const eve = openVisitor();
    await signIn(start, "eve2", eve);
    const { visitor } = await signedIn(server);
    expect((await signIn(`${start}?purpose=link`, "eve2", visitor)).href).toBe(failed(server, "providerTaken"));
    const other = await openVisitor().get(`${start}?purpose=link`);
    expect(other.headers.get("Location")).toBe(failed(server, "unauthorized"));
    // Another person has signed in in the same browser before the callback.
    const back = await visitor.signInAtProvider(`${start}?purpose=link`, "ada");
    visitor.cookies.set("parlance_refresh", eve.cookies.get("parlance_refresh") ?? "");
    expect((await visitor.get(back)).headers.get("Location")).toBe(failed(server, "unauthorized"));
    expect((await visitor.get(`${start}?purpose=other`)).status).toBe(400);
  });
});

describe("account without a password", () => {
  /** A person who signed in through the provider, and their browser. */
  async function enter(options: Parameters<typeof setUp>[0] = {}) {
    const harness = await setUp(options);
    const visitor = openVisitor();
    const answer = await visitor.get(await visitor.signInAtProvider(`${harness.start}?popup=1`, "ada"));
    const { message } = await windowAnswer(answer);
    if (message.type !== "AUTH_SUCCESS") throw new Error(message.type);
    const person = asPerson(harness.server, message.accessToken, email);
    const change = {
      email: () => person.call("POST", "/users/me/email", { email: "new@example.org" }),
      password: () => person.call("POST", "/users/me/password", { newPassword: "battery staple" }),
      deletion: () => person.call("DELETE", "/users/me", {}),
    };
    const confirm = async (login = "ada", tamper?: (url: URL) => void) => {
      const back = await visitor.signInAtProvider(`${harness.start}?popup=1&purpose=confirm`, login, tamper);
      return (await windowAnswer(await visitor.get(back))).message;
    };
    return { ...harness, visitor, person, change, confirm };
  }

  test("allows changes and deletion only for five minutes after a fresh sign-in at the provider", async () => {
    let late = 0;
    const { person, change, confirm } = await enter({ now: () => Date.now() + late });
    for (const attempt of Object.values(change)) expect(await refusal(await attempt())).toBe("403 freshSignInRequired");
    expect(await confirm()).toEqual({ type: "AUTH_CONFIRMED" });
    expect((await methods(person)).confirmedUntil).not.toBeNull();
    expect((await change.email()).status).toBe(202);
    late = 5 * 60_000;
    expect((await methods(person)).confirmedUntil).toBeNull();
    for (const attempt of Object.values(change)) expect(await refusal(await attempt())).toBe("403 freshSignInRequired");
    late = 0;
    expect((await change.deletion()).status).toBe(204);
  });

  test("can set a password after a fresh sign-in, which later changes require", async () => {
    const { server, change, confirm, person } = await enter();
    await confirm();
    expect((await change.password()).status).toBe(200);
    expect((await post(server, "/auth/login", { email, password: "battery staple" })).status).toBe(200);
    expect(await refusal(await change.deletion())).toBe("403 wrongPassword");
    const unlink = await person.call("DELETE", "/users/me/identities", { password: "battery staple" });
    expect(unlink.status).toBe(204);
  });

  test("refuses to unlink the only sign-in method of an account", async () => {
    const { person, confirm } = await enter();
    await confirm();
    const answer = await person.call("DELETE", "/users/me/identities", { password: "x" });
    expect(answer.status).toBe(403);
    expect(await read(answer, 403, ErrorBody)).toMatchObject({ code: "forbidden" });
  });

  test("demands a fresh sign-in from the provider and refuses an old one", async () => {
    let late = 0;
    const { visitor, start, change, confirm } = await enter({ now: () => Date.now() + late });
    const asked = new URL((await visitor.get(`${start}?purpose=confirm`)).headers.get("Location") ?? "");
    expect(asked.searchParams.get("prompt")).toBe("login");
    expect(asked.searchParams.get("max_age")).toBe("0");
    // Somebody at the unlocked page skips the confirmation: the provider still has the person's ten-minute-old session.
    late = 10 * 60_000;
    const message = await confirm("ada", (url) => {
      url.searchParams.delete("prompt");
      url.searchParams.set("max_age", "100000");
    });
    expect(message).toEqual({ type: "AUTH_FAILURE", code: "providerNotFresh" });
    expect(await refusal(await change.deletion())).toBe("403 freshSignInRequired");
  });

  test("refuses a confirmation by another account at the provider", async () => {
    const { provider, server, change, confirm } = await enter();
    provider.serve(server.apiUrl, { ...people, mallory: { email: "mallory@example.org", email_verified: true } });
    expect(await confirm("mallory")).toEqual({ type: "AUTH_FAILURE", code: "providerTaken" });
    expect(await refusal(await change.deletion())).toBe("403 freshSignInRequired");
  });

  test("another account at the provider with the same address opens nothing", async () => {
    const { server, start } = await enter();
    expect((await signIn(start, "eve")).href).toBe(failed(server, "accountExists"));
  });
});
