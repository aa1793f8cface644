import { describe, expect, test } from "vitest";
import { LoginAnswer, MessageAnswer, RegisterAnswer, UserProfile } from "#contract/index.ts";
import { startMailServer, tokenIn } from "#tests/fixtures/mail-server.ts";
import { asPerson, post, read, refusal, startTestServer, testClock } from "#tests/server/harness.ts";

const account = { email: "ada@example.org", password: "correct horse", name: "Ada" };

async function startWithMail(options: Parameters<typeof startTestServer>[0] = {}) {
  const smtp = await startMailServer();
  const server = await startTestServer({ ...options, env: { ...options.env, ...smtp.env } });
  const next = async (count: number) => {
    await expect.poll(() => smtp.received.length).toBe(count);
    return smtp.received.at(-1);
  };
  return { server, received: smtp.received, next };
}

const register = (server: { apiUrl: string }, extra = {}) => post(server, "/auth/register", { ...account, ...extra });
const login = (server: { apiUrl: string }, password = account.password) =>
  post(server, "/auth/login", { email: account.email, password });
const confirm = (server: { apiUrl: string }, token: string, password = account.password) =>
  post(server, "/auth/confirm-email", { token, password });
const choose = (server: { apiUrl: string }, token: string, password: string) =>
  post(server, "/auth/reset-password", { token, password });

describe("registration with a mail server", () => {
  test("opens the account after the user confirms the address by a link that works once", async () => {
    const { server, next } = await startWithMail();
    const answer = await read(await register(server, { language: "de" }), 201, RegisterAnswer);
    expect(answer).toEqual({ message: "Please check your email to verify your account." });
    expect(await refusal(await login(server))).toBe("403 emailUnconfirmed");
    const mail = await next(1);
    expect(mail?.to).toEqual(["ada@example.org"]);
    expect(mail?.raw).toContain("Guten Tag,");
    expect(mail?.raw).toContain("From: Parlance <no-reply@example.org>");
    expect(mail?.raw).toMatch(/text\/plain[\s\S]+text\/html/);
    expect(mail?.raw).toContain(`${server.pageUrl}/email-verification#token=`);
    await read(await confirm(server, tokenIn(mail)), 200, MessageAnswer);
    await read(await login(server), 200, LoginAnswer);
    expect(await refusal(await confirm(server, tokenIn(mail)))).toBe("410 linkInvalid");
  });

  test("answers a wrong password alike before and after the confirmation", async () => {
    const { server } = await startWithMail();
    await register(server);
    expect(await refusal(await login(server, "wrong horse"))).toBe("401 badCredentials");
  });

  // PROMISE mails: Links in mails work once, for a short time; the database has their hashes
  test("a confirmation link expires after a day and becomes void when a new one is requested", async () => {
    const clock = testClock();
    const { server, next } = await startWithMail({ now: clock.now });
    await register(server);
    const first = tokenIn(await next(1));
    clock.advance(24 * 60 * 60_000);
    expect(await refusal(await confirm(server, first))).toBe("410 linkInvalid");
    await read(await post(server, "/auth/resend-confirmation", { email: account.email }), 202, MessageAnswer);
    const second = tokenIn(await next(2));
    await post(server, "/auth/resend-confirmation", { email: account.email });
    const third = tokenIn(await next(3));
    expect(await refusal(await confirm(server, second))).toBe("410 linkInvalid");
    await read(await confirm(server, third), 200, MessageAnswer);
  });

  test("tells only the owner of an address that an account exists already", async () => {
    const { server, next } = await startWithMail();
    const before = await (await register(server)).text();
    await confirm(server, tokenIn(await next(1)));
    const again = await register(server, { password: "somebody else" });
    expect([again.status, await again.text()]).toEqual([201, before]);
    expect((await next(2))?.raw).toContain("You already have an account");
    await read(await login(server), 200, LoginAnswer);
  });

  describe.each([
    ["somebody else registers first", ["set by somebody else", account.password]],
    ["somebody else registers last", [account.password, "set by somebody else"]],
  ])("%s", (_, passwords) => {
    // The owner may open either mail, even the one that somebody else requested.
    test.each([0, 1])("confirms the owner's password and never the other one when the owner opens mail %i", async (opened) => {
      const { server, next, received } = await startWithMail();
      for (const password of passwords) expect((await register(server, { password })).status).toBe(201);
      await next(2);
      await read(await confirm(server, tokenIn(received[opened])), 200, MessageAnswer);
      await read(await login(server), 200, LoginAnswer);
      expect(await refusal(await login(server, "set by somebody else"))).toBe("401 badCredentials");
      expect(await refusal(await confirm(server, tokenIn(received[1 - opened])))).toBe("410 linkInvalid");
      const answer = await confirm(server, tokenIn(received[1 - opened]), "set by somebody else");
      expect(await refusal(answer)).toBe("410 linkInvalid");
    });
  });

  test("a confirmation link needs the password and stays valid after a wrong one", async () => {
    const { server, next } = await startWithMail();
    await register(server, { password: "set by somebody else" });
    const token = tokenIn(await next(1));
    expect(await refusal(await post(server, "/auth/confirm-email", { token }))).toBe("403 wrongPassword");
    expect(await refusal(await confirm(server, token))).toBe("403 wrongPassword");
    // The reader of the mails who did not register chooses a password here; the other password opens nothing.
    await read(await choose(server, token, "chosen by the owner"), 200, MessageAnswer);
    await read(await login(server, "chosen by the owner"), 200, LoginAnswer);
    expect(await refusal(await login(server, "set by somebody else"))).toBe("401 badCredentials");
    expect(await refusal(await confirm(server, token, "set by somebody else"))).toBe("410 linkInvalid");
    expect(await refusal(await choose(server, token, "set by somebody else"))).toBe("410 linkInvalid");
  });

  test("a user who forgot the password before confirming gets a link to choose one", async () => {
    const { server, next } = await startWithMail();
    await register(server);
    await next(1);
    await post(server, "/auth/forgot-password", { email: account.email });
    await read(await choose(server, tokenIn(await next(2)), "battery staple"), 200, MessageAnswer);
    await read(await login(server, "battery staple"), 200, LoginAnswer);
  });

  test("makes one account when one link is used several times at once", async () => {
    const { server, next } = await startWithMail();
    await register(server);
    const token = tokenIn(await next(1));
    const answers = await Promise.all([confirm(server, token), confirm(server, token), choose(server, token, "battery staple")]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410]);
  });

  test("an owner can still open the account when somebody floods the address with registrations", async () => {
    const clock = testClock();
    const { server, next } = await startWithMail({ now: clock.now });
    for (let times = 0; times < 5; times++) await register(server, { password: `set by somebody else ${times}` });
    clock.advance(60 * 60_000);
    await register(server);
    const token = tokenIn(await next(6));
    // The server stores no further registration and so not its password; the link lets the owner choose another.
    expect(await refusal(await confirm(server, token))).toBe("403 wrongPassword");
    await read(await choose(server, token, account.password), 200, MessageAnswer);
    await read(await login(server), 200, LoginAnswer);
  });

  test("sends a mail later when the mail server refuses it", async () => {
    const clock = testClock();
    const smtp = await startMailServer({ refuse: 1 });
    const lines: string[] = [];
    const env = { ...smtp.env, LOG_LEVEL: "warn" };
    const server = await startTestServer({ now: clock.now, env, mailPollMs: 60, writeLog: (line) => lines.push(line) });
    await register(server);
    await expect.poll(() => lines.join("\n")).toContain("e-mail not sent");
    expect(lines.join("\n")).not.toContain("ada@example.org");
    clock.advance(31_000);
    await expect.poll(() => smtp.received.length).toBe(1);
  });
});

describe("forgotten password", () => {
  // PROMISE mails: Links in mails work once, for a short time; the database has their hashes
  test("the mailed link replaces the password once, within an hour, and ends every session", async () => {
    const clock = testClock();
    const { server, next } = await startWithMail({ now: clock.now, env: { EMAIL_CONFIRMATION: "0" } });
    const { accessToken } = await read(await register(server), 201, LoginAnswer);
    const ask = () => post(server, "/auth/forgot-password", { email: "ADA@example.org", language: "fr" });
    await read(await ask(), 202, MessageAnswer);
    const late = await next(1);
    expect(late?.raw).toMatch(/Bonjour,\r?\n/);
    clock.advance(60 * 60_000);
    const reset = (token: string) => post(server, "/auth/reset-password", { token, password: "battery staple" });
    expect(await refusal(await reset(tokenIn(late)))).toBe("410 linkInvalid");
    await ask();
    const token = tokenIn(await next(2));
    expect(await refusal(await post(server, "/auth/reset-password", { token, password: "short" }))).toBe("400 badRequest");
    await read(await reset(token), 200, MessageAnswer);
    expect((await next(3))?.raw).toContain("Your password was changed");
    expect((await asPerson(server, accessToken).call("GET", "/users/me")).status).toBe(401);
    expect(await refusal(await login(server))).toBe("401 badCredentials");
    await read(await login(server, "battery staple"), 200, LoginAnswer);
    expect(await refusal(await reset(token))).toBe("410 linkInvalid");
  });

  // PROMISE mails: Everybody who asks for a mail gets the same answer
  test("answers alike for an unknown address and sends no mail to it", async () => {
    const { server, received, next } = await startWithMail({ env: { EMAIL_CONFIRMATION: "0" } });
    await register(server);
    const known = await post(server, "/auth/forgot-password", { email: account.email });
    const unknown = await post(server, "/auth/forgot-password", { email: "nobody@example.org" });
    expect([unknown.status, await unknown.text()]).toEqual([known.status, await known.text()]);
    await next(1);
    expect(received.map(({ to }) => to)).toEqual([["ada@example.org"]]);
  });

  test.each(["sent", "delayed", "none"] as const)("tells every caller whether mails are sent: %s", async (mails) => {
    const smtp = await startMailServer();
    // Closes the mail server, so that nothing answers at its address.
    if (mails === "delayed") await smtp[Symbol.asyncDispose]();
    const server = await startTestServer({ env: { EMAIL_CONFIRMATION: "0", ...(mails !== "none" && smtp.env) } });
    await register(server);
    const ask = async (path: string, email: string) =>
      (await read(await post(server, path, { email }), 202, MessageAnswer)).mails;
    const answers = [
      await ask("/auth/forgot-password", account.email),
      await ask("/auth/forgot-password", "nobody@example.org"),
      await ask("/auth/resend-confirmation", account.email),
      await ask("/auth/resend-confirmation", "nobody@example.org"),
    ];
    expect(answers).toEqual([mails, mails, mails, mails]);
  });

  test("a mailed link ignores the host in the request's headers", async () => {
    const { server, next } = await startWithMail({ env: { EMAIL_CONFIRMATION: "0" } });
    await register(server);
    await post(server, "/auth/forgot-password", { email: account.email }, { "X-Forwarded-Host": "evil.example" });
    expect((await next(1))?.raw).toContain(`${server.pageUrl}/auth/reset-password#token=`);
  });

  test("one network address can request at most sixty password mails an hour", async () => {
    const { server } = await startWithMail({ env: { EMAIL_CONFIRMATION: "0" } });
    const ask = () => post(server, "/auth/forgot-password", { email: account.email });
    for (let times = 0; times < 60; times++) expect((await ask()).status).toBe(202);
    const refused = await ask();
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await refusal(refused)).toBe("429 tooManyRequests");
  });
});

describe("account with an unconfirmed address", () => {
  test("the reader of the mails takes over an unconfirmed account and signs out its maker", async () => {
    const { server, next } = await startWithMail({ env: { EMAIL_CONFIRMATION: "0" } });
    const other = await read(await register(server, { password: "set by somebody else" }), 201, LoginAnswer);
    const person = asPerson(server, other.accessToken);
    await post(server, "/auth/resend-confirmation", { email: account.email });
    const token = tokenIn(await next(1));
    // The owner opens the mail that the other person requested.
    expect(await refusal(await post(server, "/auth/confirm-email", { token }))).toBe("403 wrongPassword");
    expect(await read(await person.call("GET", "/users/me"), 200, UserProfile)).toMatchObject({ emailVerified: false });
    await read(await choose(server, token, "chosen by the owner"), 200, MessageAnswer);
    expect((await person.call("GET", "/users/me")).status).toBe(401);
    expect(await refusal(await login(server, "set by somebody else"))).toBe("401 badCredentials");
    await read(await login(server, "chosen by the owner"), 200, LoginAnswer);
  });

  test("an unconfirmed account stays signed in when its own password confirms it", async () => {
    const { server, next } = await startWithMail({ env: { EMAIL_CONFIRMATION: "0" } });
    const person = asPerson(server, (await read(await register(server), 201, LoginAnswer)).accessToken);
    await post(server, "/auth/resend-confirmation", { email: account.email });
    await read(await confirm(server, tokenIn(await next(1))), 200, MessageAnswer);
    expect(await read(await person.call("GET", "/users/me"), 200, UserProfile)).toMatchObject({ emailVerified: true });
  });
});

describe("server without a mail server", () => {
  test("shows mails only to requests from the same machine", async () => {
    const server = await startTestServer();
    await register(server);
    await post(server, "/auth/forgot-password", { email: account.email });
    const page = async () => (await fetch(`${server.apiUrl}/mails`)).text();
    await expect.poll(page).toContain("Choose a new password");
    const id = /src="\/mails\/([\w-]+)"/.exec(await page())?.[1];
    const mail = await (await fetch(`${server.apiUrl}/mails/${id}`)).text();
    const token = /#token=([\w-]+)/.exec(mail)?.[1];
    await read(await post(server, "/auth/reset-password", { token, password: "battery staple" }), 200, MessageAnswer);
    const proxied = await fetch(`${server.apiUrl}/mails`, { headers: { "X-Forwarded-For": "203.0.113.9" } });
    expect(proxied.status).toBe(404);
  });

  test("does not show mails when a mail server is configured", async () => {
    const { server } = await startWithMail();
    expect((await fetch(`${server.apiUrl}/mails`)).status).toBe(404);
  });
});

test("the start fails when SMTP_URL is set without MAIL_FROM", async () => {
  await expect(startTestServer({ env: { SMTP_URL: "smtp://localhost" } })).rejects.toThrow(
    "MAIL_FROM is required with SMTP_URL.",
  );
});
