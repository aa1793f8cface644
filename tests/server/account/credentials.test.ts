import { describe, expect, test } from "vitest";
import { LoginAnswer, MessageAnswer, UserProfile } from "#contract/index.ts";
import { type Received, startMailServer, tokenIn } from "#tests/fixtures/mail-server.ts";
import { type Person, post, read, refusal, signInAgain, signUp, startTestServer } from "#tests/server/harness.ts";

const password = "correct horse";
const chosen = "battery staple";

async function start() {
  const mail = await startMailServer();
  const server = await startTestServer({ env: { ...mail.env, EMAIL_CONFIRMATION: "0" } });
  const person = await signUp(server);
  // Finds mails by recipient and text, so the tests don't depend on the order of mails.
  const letter = async (to: string, saying: string, nth = 1): Promise<Received | undefined> => {
    const found = () => mail.received.filter((one) => one.to.includes(to) && one.raw.includes(saying));
    await expect.poll(() => found().length).toBeGreaterThanOrEqual(nth);
    return found()[nth - 1];
  };
  const ask = {
    reset: async (nth = 1) => {
      await post(server, "/auth/forgot-password", { email: person.email });
      return tokenIn(await letter(person.email, "/auth/reset-password#token=", nth));
    },
    confirmation: async () => {
      await post(server, "/auth/resend-confirmation", { email: person.email });
      return tokenIn(await letter(person.email, "Confirm your e-mail address"));
    },
    move: async (by: Person, email = "new@example.org", own = password) => {
      await read(await by.call("POST", "/users/me/email", { email, password: own }), 202, MessageAnswer);
      return tokenIn(await letter(email, "/email-verification#token="));
    },
    stop: async (nth = 1) => tokenIn(await letter(person.email, "/email-verification#token=stop-", nth)),
  };
  const reset = (token: string, next = chosen) => post(server, "/auth/reset-password", { token, password: next });
  const confirm = (token: string) => post(server, "/auth/confirm-email", { token });
  const stop = (token: string) => post(server, "/auth/stop-email-change", { token });
  const login = (email: string, own: string) => post(server, "/auth/login", { email, password: own });
  return { server, person, letter, ask, reset, confirm, stop, login };
}

const isSignedIn = async (person: Person) => (await person.call("GET", "/users/me")).status === 200;
const me = async (person: Person) => read(await person.call("GET", "/users/me"), 200, UserProfile);

// PROMISE security: A changed credential ends every other link, change and session
describe("change of a credential", () => {
  test("lets only one of two simultaneous password changes succeed", async () => {
    const { server, person, login } = await start();
    const thief = await signInAgain(server, person);
    const to = (newPassword: string) => ({ currentPassword: password, newPassword });
    const wanted = [
      { by: person, next: chosen },
      { by: thief, next: "hinge violet quarry" },
    ];
    const answers = await Promise.all(
      wanted.map(async ({ by, next }) => ({ by, next, status: (await by.call("POST", "/users/me/password", to(next))).status })),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    for (const { by, next, status } of answers) {
      expect(await isSignedIn(by)).toBe(status === 200);
      expect((await login(person.email, next)).status).toBe(status === 200 ? 200 : 401);
    }
  });

  test("ends older links, a pending change of address and other sessions when the password changes", async () => {
    const { server, person, ask, reset, confirm, stop, letter, login } = await start();
    const thief = await signInAgain(server, person);
    const links = { reset: await ask.reset(), confirm: await ask.confirmation(), move: await ask.move(thief) };
    const change = { currentPassword: password, newPassword: chosen };
    await read(await person.call("POST", "/users/me/password", change), 200, MessageAnswer);
    expect(await refusal(await reset(links.reset, "the thief's own"))).toBe("410 linkInvalid");
    expect(await refusal(await confirm(links.confirm))).toBe("410 linkInvalid");
    expect(await refusal(await confirm(links.move))).toBe("410 linkInvalid");
    expect(await refusal(await stop(await ask.stop()))).toBe("410 linkInvalid");
    expect([await isSignedIn(person), await isSignedIn(thief)]).toEqual([true, false]);
    expect((await me(person)).email).toBe(person.email);
    await letter(person.email, "Your password was changed");
    await read(await login(person.email, chosen), 200, LoginAnswer);
  });

  test("ends older links, a pending change of address and every session when the password is reset", async () => {
    const { server, person, ask, reset, confirm, login } = await start();
    const thief = await signInAgain(server, person);
    const links = { confirm: await ask.confirmation(), move: await ask.move(thief) };
    await read(await reset(await ask.reset()), 200, MessageAnswer);
    expect(await refusal(await confirm(links.move))).toBe("410 linkInvalid");
    expect(await refusal(await confirm(links.confirm))).toBe("410 linkInvalid");
    expect([await isSignedIn(person), await isSignedIn(thief)]).toEqual([false, false]);
    await read(await login(person.email, chosen), 200, LoginAnswer);
  });

  test("ends older links and other sessions when a change of address is confirmed", async () => {
    const { server, person, ask, reset, confirm, stop } = await start();
    const thief = await signInAgain(server, person);
    const older = await ask.reset();
    const move = await ask.move(person);
    await read(await confirm(move), 200, MessageAnswer);
    expect(await me(person)).toMatchObject({ email: "new@example.org", emailVerified: true });
    expect(await isSignedIn(thief)).toBe(false);
    expect(await refusal(await reset(older))).toBe("410 linkInvalid");
    expect(await refusal(await stop(await ask.stop()))).toBe("410 linkInvalid");
  });
});

describe("requested change of address", () => {
  test("a signed-out visitor can stop a change of address once, by the link in the mail", async () => {
    const { server, person, ask, confirm, stop } = await start();
    const thief = await signInAgain(server, person);
    const first = await ask.move(thief);
    const link = await ask.stop();
    await read(await stop(link), 200, MessageAnswer);
    expect(await refusal(await confirm(first))).toBe("410 linkInvalid");
    expect((await me(person)).email).toBe(person.email);
    expect(await refusal(await stop(link))).toBe("410 linkInvalid");
    expect(await refusal(await stop("no-such-token-anywhere"))).toBe("410 linkInvalid");
  });

  test("the stop link of any earlier mail stops a change of address that was requested again", async () => {
    const { person, ask, confirm, stop } = await start();
    await ask.move(person, "one@example.org");
    const first = await ask.stop(1);
    const second = await ask.move(person, "two@example.org");
    await ask.stop(2);
    await read(await stop(first), 200, MessageAnswer);
    expect(await refusal(await confirm(second))).toBe("410 linkInvalid");
  });

  test("the present address gets the notice even when the requested address is taken", async () => {
    const { server, person, ask, letter } = await start();
    const owner = await signUp(server);
    await read(await person.call("POST", "/users/me/email", { email: owner.email, password }), 202, MessageAnswer);
    expect((await letter(person.email, "Stop the change"))?.raw).toContain(owner.email);
    await letter(owner.email, "You already have an account");
    expect(await ask.stop()).not.toBe("no token");
  });

  test("a mailed link works only for the purpose it was sent for", async () => {
    const { person, ask, reset, confirm, stop } = await start();
    const move = await ask.move(person);
    const halt = await ask.stop();
    expect(await refusal(await reset(move))).toBe("410 linkInvalid");
    expect(await refusal(await reset(halt))).toBe("410 linkInvalid");
    expect(await refusal(await confirm(halt))).toBe("410 linkInvalid");
    expect(await refusal(await stop(move))).toBe("410 linkInvalid");
    await read(await confirm(move), 200, MessageAnswer);
  });

  test("a user can request at most five changes of address an hour", async () => {
    const { person } = await start();
    const want = (nth: number) => person.call("POST", "/users/me/email", { email: `wanted${nth}@example.org`, password });
    for (let nth = 0; nth < 5; nth++) expect((await want(nth)).status).toBe(202);
    expect(await refusal(await want(5))).toBe("429 tooManyRequests");
  });
});
