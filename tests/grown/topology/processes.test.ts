import { beforeEach, expect, onTestFinished, test } from "vitest";
import { LoginAnswer, tryOutPath } from "#contract/index.ts";
import type { Generator } from "#server/blog-admin/generator.ts";
import { createTestDatabase } from "#tests/grown/harness-postgres.ts";
import { Dictation } from "#tests/server/dictation/dictation.ts";
import { asPerson, eventually, post, read, refusal, startTestServer } from "#tests/server/harness.ts";

// Work that two servers on one PostgreSQL must not do twice. They share nothing else, although they run in one process
// here.

let databaseUrl = "";
beforeEach(async () => {
  const { url, drop } = await createTestDatabase();
  databaseUrl = url;
  onTestFinished(drop);
});

async function startBoth(generator?: Generator) {
  const printed: string[] = [];
  const start = () =>
    startTestServer({
      env: { DATABASE_URL: databaseUrl },
      print: (line) => printed.push(line),
      ...(generator && { generator }),
    });
  return { servers: await Promise.all([start(), start()]), printed };
}

test("creates one superuser when two processes start at once, and prints the password once", async () => {
  const { servers, printed } = await startBoth();
  expect(printed).toHaveLength(1);
  const [, email = "", password = ""] = /^Superuser: (\S+), password: (\S+)/.exec(printed[0] ?? "") ?? [];
  expect(email).toBe("superuser@parlance.local");
  for (const server of servers) await read(await post(server, "/auth/login", { email, password }), 200, LoginAnswer);
});

test("writes one post at a time for a superuser across processes", async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  let begun = 0;
  const generate = async () => {
    begun += 1;
    await answered;
    return { title: "One", summary: "", content: "# One", topics: [], language: "en" };
  };
  const generator: Generator = { available: true, model: "scripted", generate, generateUnique: generate };
  const { servers, printed } = await startBoth(generator);
  const [one, other] = servers;
  const password = /password: (\S+)/.exec(printed[0] ?? "")?.[1] ?? "";
  const signedIn = await post(one, "/auth/login", { email: "superuser@parlance.local", password });
  const { accessToken } = await read(signedIn, 200, LoginAnswer);
  const request = { topic: "Rivers", tone: "friendly", language: "en", length: "short" };
  const ask = (server: { apiUrl: string }) => asPerson(server, accessToken).call("POST", "/admin/blog/generate", request);
  const first = ask(one);
  await eventually(
    async () => begun,
    (count) => count === 1,
  );
  for (const server of servers) expect(await refusal(await ask(server))).toBe("429 tooManyRequests");
  answer();
  expect((await first).status).toBe(200);
  await eventually(
    () => ask(other),
    ({ status }) => status === 200,
  );
  expect(begun).toBe(2);
});

test("allows twelve trials in ten minutes for an address across processes", async () => {
  const { servers } = await startBoth();
  const visit = async (server: (typeof servers)[number]) => {
    const live = new Dictation(server.apiUrl, { origin: server.pageUrl, path: tryOutPath });
    await live.open();
    live.say({ type: "start", token: "", recordingId: live.recordingId, sourceLanguage: "en" });
    const ready = live.next("ready").then(
      () => "ready",
      () => "closed",
    );
    const refused = live.next("error").then(
      ({ code }) => code,
      () => "closed",
    );
    const said = await Promise.race([ready, refused]);
    await live.cut();
    return String(said);
  };
  const answers: string[] = [];
  for (let i = 0; i < 13; i++) {
    // The place of the one before may not be free yet.
    answers.push(
      await eventually(
        () => visit(servers[i % 2 === 0 ? 0 : 1]),
        (said) => said !== "tooManyAtOnce",
      ),
    );
  }
  expect(answers).toEqual([...Array.from({ length: 12 }, () => "ready"), "tooManyRequests"]);
});
