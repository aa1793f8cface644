import { afterAll, beforeAll, expect, test } from "vitest";
import { LoginAnswer, UserProfile } from "#contract/index.ts";
import { startTopology, type Topology } from "#tests/grown/harness-topology.ts";
import { Dictation } from "#tests/server/dictation/dictation.ts";
import { asPerson, base, eventually, post, read, refusal } from "#tests/server/harness.ts";

// Each request goes to the next of two processes; where it matters which, it goes past the proxy.

let topology: Topology;
beforeAll(async () => {
  topology = await startTopology({ workers: 0 });
});
afterAll(() => topology?.close());

const password = "correct horse";

function processes() {
  const [one, other] = topology.apis;
  if (one === undefined || other === undefined) throw new Error("There are two.");
  return [one, other] as const;
}

function cookieOf(answer: Response): string {
  const cookie = answer.headers.getSetCookie().find((line) => /parlance_refresh=/.test(line));
  if (cookie === undefined) throw new Error("no refresh cookie");
  return cookie.split(";", 1)[0] ?? "";
}

const refresh = (server: { apiUrl: string }, cookie: string) =>
  fetch(`${server.apiUrl}/auth/refresh`, { method: "POST", headers: { Cookie: cookie, Origin: topology.url } });

async function signUp() {
  const email = `${crypto.randomUUID()}@example.org`;
  const answer = await post(topology, "/auth/register", { email, password });
  const cookie = cookieOf(answer);
  const { accessToken } = await read(answer, 201, LoginAnswer);
  return { email, cookie, person: asPerson(topology, accessToken, email) };
}

test("knows a person at all processes right after the sign-up", async () => {
  const { person, email } = await signUp();
  for (let i = 0; i < 6; i++) {
    expect(await read(await person.call("GET", "/users/me"), 200, UserProfile)).toMatchObject({ email });
  }
});

test("refreshes a token once across processes, and gives its predecessor the same successor", async () => {
  const [one, other] = processes();
  const { cookie: first } = await signUp();
  const both = await Promise.all([refresh(one, first), refresh(other, first), refresh(one, first), refresh(other, first)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const seconds = new Set(both.map(cookieOf));
  expect(seconds.size).toBe(1);
  const [second = ""] = seconds;
  expect(cookieOf(await refresh(other, first))).toBe(second);
  expect((await refresh(one, second)).status).toBe(200);
  expect(await refusal(await refresh(other, first))).toBe("401 sessionReused");
  expect(await refusal(await refresh(one, second))).toBe("401 unauthorized");
});

// PROMISE processes: Limits, sessions and streams hold across processes
test("closes everything open at one process when its session ends at the other", async () => {
  const [one, other] = processes();
  const { person, cookie } = await signUp();
  const live = await Dictation.start(one.apiUrl, person.token);
  const stream = await fetch(`${one.apiUrl}${base}/events`, { headers: { Authorization: `Bearer ${person.token}` } });
  const reader = stream.body?.getReader();
  await reader?.read();
  const answer = await fetch(`${other.apiUrl}/auth/logout`, {
    method: "POST",
    headers: { Cookie: cookie, Origin: topology.url },
  });
  expect(answer.ok).toBe(true);
  await live.closed;
  while ((await reader?.read())?.done === false);
});

// PROMISE processes: Limits, sessions and streams hold across processes
test("counts failed attempts across processes", async () => {
  const { email } = await signUp();
  const guess = (server: { apiUrl: string }) =>
    post(server, "/auth/login", { email, password: "wrong horse" }, { "X-Forwarded-For": "192.0.2.7" });
  const [one, other] = processes();
  const statuses: number[] = [];
  for (let i = 0; i < 12; i++) statuses.push((await guess(i % 2 ? one : other)).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
});

test("counts event streams across processes, and frees their places at their end", async () => {
  const { person } = await signUp();
  const open = () => person.call("GET", `${base}/events`);
  const streams = await Promise.all(Array.from({ length: 24 }, open));
  expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 24 }, () => 200));
  const [one, other] = processes();
  const at = (server: { apiUrl: string }) => asPerson(server, person.token).call("GET", `${base}/events`);
  expect(await Promise.all([at(one), at(other)].map(async (answer) => refusal(await answer)))).toEqual([
    "429 tooManyAtOnce",
    "429 tooManyAtOnce",
  ]);
  for (const { body } of streams.slice(0, 2)) await body?.cancel();
  const again = await eventually(
    () => at(one),
    ({ status }) => status === 200,
  );
  for (const { body } of [...streams.slice(2), again]) await body?.cancel();
});
