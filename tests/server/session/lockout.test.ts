import { describe, expect, test } from "vitest";
import { LoginAnswer, MessageAnswer } from "#contract/index.ts";
import { clientAddress, networkOf, parseTrustedProxies } from "#server/http/client-address.ts";
import { createThrottle, everywhereLimit } from "#server/session/throttle.ts";
import { startMailServer, tokenIn } from "#tests/fixtures/mail-server.ts";
import { openTestDb } from "#tests/server/database.ts";
import { asPerson, post, read, refusal, startTestServer, type TestClock, testClock } from "#tests/server/harness.ts";

const minute = 60_000;
const account = { email: "ada@example.org", password: "an unlikely 7 horses", name: "Ada" };

type Server = Awaited<ReturnType<typeof startTestServer>>;

/** Starts a server behind a proxy, so that tests can choose the addresses of their requests. */
async function start(options: Parameters<typeof startTestServer>[0] = {}) {
  const clock = testClock();
  const env = { TRUST_PROXY: "1", EMAIL_CONFIRMATION: "0", ...options.env };
  return { clock, server: await startTestServer({ now: clock.now, ...options, env }) };
}

const from = (address: string, cookie = "") => ({ "X-Forwarded-For": address, ...(cookie && { Cookie: cookie }) });

const login = (server: Server, headers: Record<string, string>, password = account.password, email = account.email) =>
  post(server, "/auth/login", { email, password }, headers);

/** The cookie of this name that the answer sets. */
function cookieIn(answer: Response, name = "parlance_device"): string {
  const line = answer.headers.getSetCookie().find((one) => one.startsWith(`${name}=`));
  return line?.split(";", 1)[0] ?? "";
}

/** Counts as many wrong passwords as an account allows, without checking them, because checking takes long. */
async function guess(server: Server, clock: TestClock): Promise<void> {
  await using elsewhere = await openTestDb(server.dataDir);
  const throttle = createThrottle(elsewhere, clock.now);
  const isTaken = () =>
    throttle.count(everywhereLimit, account.email).then(
      () => true,
      () => false,
    );
  for (let times = 0; times < everywhereLimit.max; times++) if (!(await isTaken())) return;
}

describe("guesses from other devices", () => {
  // PROMISE security: Guesses from elsewhere never lock an owner out
  test("guesses lock unknown devices out for a while, but not a device of the owner", async () => {
    const { clock, server } = await start();
    const device = cookieIn(await post(server, "/auth/register", account, from("192.0.2.1")));
    await guess(server, clock);
    expect(await refusal(await login(server, from("192.0.2.1")))).toBe("429 tooManyRequests");
    await read(await login(server, from("192.0.2.1", device)), 200, LoginAnswer);
    // The device's address does not matter, even if the guesses come from there.
    await read(await login(server, from("203.0.113.1", device)), 200, LoginAnswer);
    clock.advance(15 * minute);
    await read(await login(server, from("192.0.2.1")), 200, LoginAnswer);
  });

  test("each known device may guess ten passwords", async () => {
    const { clock, server } = await start();
    const [one, other] = [
      cookieIn(await post(server, "/auth/register", account)),
      cookieIn(await login(server, from("192.0.2.2"))),
    ];
    expect(one).not.toBe(other);
    const wrong = (times: number) =>
      Promise.all(Array.from({ length: times }, () => login(server, from("192.0.2.1", one), "a wrong guess")));
    expect((await wrong(9)).every(({ status }) => status === 401)).toBe(true);
    // A success resets the count.
    expect((await login(server, from("192.0.2.1", one))).status).toBe(200);
    expect((await wrong(10)).every(({ status }) => status === 401)).toBe(true);
    expect(await refusal(await login(server, from("192.0.2.1", one)))).toBe("429 tooManyRequests");
    expect((await login(server, from("192.0.2.1", other))).status).toBe(200);
    clock.advance(15 * minute);
    expect((await login(server, from("192.0.2.1", one))).status).toBe(200);
  });

  test("a device is known only to accounts that signed in on it, and cookies can't be forged", async () => {
    const { clock, server } = await start();
    const eve = { ...account, email: "eve@example.org" };
    const evesDevice = cookieIn(await post(server, "/auth/register", eve));
    const adasDevice = cookieIn(await post(server, "/auth/register", account));
    await guess(server, clock);
    const [, id = "", day = "", signature = ""] = /=([^.]+)\.([^.]+)\.(.+)$/.exec(adasDevice) ?? [];
    const made = [
      evesDevice,
      `parlance_device=${id}.${day}.${signature.slice(0, -1)}`,
      `parlance_device=${id}.${day}z.${signature}`,
      `parlance_device=AAAAAAAAAAAAAAAA.${day}.${signature}`,
      "parlance_device=",
      `parlance_device=${"~".repeat(2_000)}`,
    ];
    for (const cookie of made) {
      expect([cookie, await refusal(await login(server, from("192.0.2.9", cookie)))]).toEqual([cookie, "429 tooManyRequests"]);
    }
    // Both accounts sign in on the same device, such as a family's computer.
    const both = cookieIn(await login(server, from("192.0.2.9", adasDevice), eve.password, eve.email));
    expect((await login(server, from("192.0.2.9", both))).status).toBe(200);
    expect((await login(server, from("192.0.2.9", both), eve.password, eve.email)).status).toBe(200);
  });

  test("a signed-in device becomes known with its next refresh and is forgotten after 400 days", async () => {
    const { clock, server } = await start({ env: { REFRESH_DAYS: "500", SESSION_DAYS: "500" } });
    const refresh = cookieIn(await post(server, "/auth/register", account), "parlance_refresh");
    const device = cookieIn(await fetch(`${server.apiUrl}/auth/refresh`, { method: "POST", headers: { Cookie: refresh } }));
    await guess(server, clock);
    expect((await login(server, from("192.0.2.1", device))).status).toBe(200);
    clock.advance(400 * 24 * 60 * minute);
    await guess(server, clock);
    expect(await refusal(await login(server, from("192.0.2.1", device)))).toBe("429 tooManyRequests");
  });

  test("the device cookie names no account, is HttpOnly and has the prefix __Host- under https", async () => {
    const { server } = await start({ env: { PUBLIC_URL: "https://parlance.example.org", API_URL: "https://api.example.org" } });
    const answer = await post(server, "/auth/register", account);
    const line = answer.headers.getSetCookie().find((one) => one.startsWith("__Host-parlance_device="));
    expect(line).toMatch(/^[^=]+=[\w-]{16}\.[\da-z]+\.[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const { user } = (await answer.json()) satisfies { user: { id: string } };
    expect(line).not.toContain(user.id);
  });

  test("changing the password forgets all known devices", async () => {
    const { clock, server } = await start();
    const registered = await post(server, "/auth/register", account);
    const intruder = cookieIn(await login(server, from("192.0.2.66")));
    const { accessToken } = await read(registered, 201, LoginAnswer);
    const password = "another unlikely 7 horses";
    const change = { currentPassword: account.password, newPassword: password };
    await read(await asPerson(server, accessToken).call("POST", "/users/me/password", change), 200, MessageAnswer);
    await guess(server, clock);
    expect(await refusal(await login(server, from("192.0.2.66", intruder), password))).toBe("429 tooManyRequests");
  });
});

describe("recovery of an account", () => {
  /** Starts a server that sends mails, with one account. */
  async function withMail(options: { confirmation?: boolean } = {}) {
    const smtp = await startMailServer();
    const { clock, server } = await start({
      env: { ...smtp.env, EMAIL_CONFIRMATION: options.confirmation === true ? "1" : "0" },
    });
    await post(server, "/auth/register", account);
    const sent = (count: number) => expect.poll(() => smtp.received.length).toBe(count);
    return { clock, server, sent, newest: () => tokenIn(smtp.received.at(-1)) };
  }

  const ask = (server: Server, path: string, address: string) => post(server, path, { email: account.email }, from(address));
  const askOften = async (server: Server, path: string, times: number) => {
    for (let time = 1; time <= times; time++) {
      const answer = await ask(server, path, `203.0.113.${time}`);
      await read(answer, 202, MessageAnswer);
    }
  };

  test("limits the mails of a recovery instead of the requests, so a working link always exists", async () => {
    const { clock, server, sent, newest } = await withMail();
    await askOften(server, "/auth/forgot-password", 50);
    await sent(3);
    clock.advance(20 * minute - 1);
    await askOften(server, "/auth/forgot-password", 10);
    clock.advance(1);
    await askOften(server, "/auth/forgot-password", 10);
    await sent(4);
    const reset = { token: newest(), password: "another unlikely 7 horses" };
    clock.advance(59 * minute);
    await read(await post(server, "/auth/reset-password", reset), 200, MessageAnswer);
    // Only the mail about the reset has been sent meanwhile.
    await sent(5);
  });

  test("sends a recovery mail every twenty minutes at most, whose link works until the next mail", async () => {
    const { clock, server, sent, newest } = await withMail();
    await askOften(server, "/auth/forgot-password", 3);
    await sent(3);
    for (let round = 1; round <= 6; round++) {
      clock.advance(20 * minute);
      await askOften(server, "/auth/forgot-password", 5);
      await sent(3 + round);
    }
    const reset = { token: newest(), password: "another unlikely 7 horses" };
    await read(await post(server, "/auth/reset-password", reset), 200, MessageAnswer);
  });

  test("the mailed link lets the owner in during guesses and makes the device known", async () => {
    const { clock, server, sent, newest } = await withMail();
    await guess(server, clock);
    expect(await refusal(await login(server, from("192.0.2.1")))).toBe("429 tooManyRequests");
    await ask(server, "/auth/forgot-password", "192.0.2.1");
    await sent(1);
    const password = "another unlikely 7 horses";
    const answer = await post(server, "/auth/reset-password", { token: newest(), password }, from("192.0.2.1"));
    await read(answer.clone(), 200, MessageAnswer);
    // The count is reset for other devices of the owner …
    expect((await login(server, from("192.0.2.2"), password)).status).toBe(200);
    await guess(server, clock);
    // … and this device stays known in spite of new guesses.
    expect(await refusal(await login(server, from("192.0.2.3"), password))).toBe("429 tooManyRequests");
    await read(await login(server, from("192.0.2.1", cookieIn(answer)), password), 200, LoginAnswer);
  });

  test("limits recovery requests from one network without affecting others", async () => {
    const { server } = await start();
    const from6 = (host: string) => from(`2001:db8:1:2:${host}`);
    const statuses = [];
    for (let time = 0; time < 61; time++) {
      const email = `person${time}@example.org`;
      const answer = await post(server, "/auth/forgot-password", { email }, from6(`${time}::1`));
      statuses.push(answer.status);
    }
    expect([...new Set(statuses.slice(0, 60))]).toEqual([202]);
    expect(statuses.at(-1)).toBe(429);
    expect((await ask(server, "/auth/forgot-password", "2001:db8:1:3::1")).status).toBe(202);
  });
});

describe("network address of a client", () => {
  const counted = (socket: string, forwarded: string | undefined, proxies: string) => {
    const trusted = parseTrustedProxies(proxies);
    const client = trusted === undefined ? undefined : clientAddress(socket, forwarded, trusted);
    return client && networkOf(client);
  };

  test.each([
    ["is the socket's without a proxy, whatever the header says", "192.0.2.1", "198.51.100.7", "0", "192.0.2.1"],
    ["is the last one that the proxy added", "127.0.0.1", "198.51.100.7, 192.0.2.1", "1", "192.0.2.1"],
    ["is the last but one behind two proxies", "127.0.0.1", "198.51.100.7, 192.0.2.1, 10.0.0.2", "2", "192.0.2.1"],
    ["is the proxy's own when it adds nothing", "10.0.0.2", undefined, "1", "10.0.0.2"],
    ["is the last one that is no named proxy", "10.0.0.2", "198.51.100.7, 192.0.2.1, 10.0.0.3", "10.0.0.0/8", "192.0.2.1"],
    ["is the socket's when no named proxy connects", "192.0.2.1", "198.51.100.7", "10.0.0.0/8, ::1", "192.0.2.1"],
    ["is IPv4 when IPv6 contains it", "::ffff:192.0.2.1", undefined, "0", "192.0.2.1"],
    ["is IPv4 over NAT64", "64:ff9b::c000:201", undefined, "0", "192.0.2.1"],
    ["is the client's behind a proxy in IPv6 form", "::ffff:10.0.0.2", "192.0.2.1", "10.0.0.0/8", "192.0.2.1"],
    ["is the /64 network of IPv6", "2001:db8:1:2:aaaa::1", undefined, "0", "2001:db8:1:2::/64"],
    ["has no port", "127.0.0.1", "192.0.2.1:51234", "1", "192.0.2.1"],
    ["has no brackets", "127.0.0.1", "[2001:db8:1:2::1]:443", "1", "2001:db8:1:2::/64"],
    ["is never an invalid one from the header", "10.0.0.2", "198.51.100.7, nonsense", "2", "10.0.0.2"],
  ])("the counted address %s", (_, socket, forwarded, proxies, expected) => {
    expect(counted(socket, forwarded, proxies)).toBe(expected);
  });

  test("addresses that a client adds to the header don't change the counted address", async () => {
    const { server } = await start();
    await post(server, "/auth/register", account);
    const forged = (time: number) => login(server, from(`198.51.100.${time}, 192.0.2.1`), "a wrong guess");
    for (let time = 0; time < 10; time++) expect((await forged(time)).status).toBe(401);
    expect((await forged(11)).status).toBe(429);
  });

  test.each(["yes", "10", "10.0.0.0/40", "10.0.0.1, proxy.example"])("TRUST_PROXY=%s stops the start", async (value) => {
    await expect(startTestServer({ env: { TRUST_PROXY: value } })).rejects.toThrow("TRUST_PROXY");
  });
});
