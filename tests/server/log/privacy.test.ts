import * as v from "valibot";
import { expect, test } from "vitest";
import { createLog, describeError } from "#server/log/log.ts";
import { personalIn } from "#tests/server/checked-log.ts";
import { base, eventually, type Person, post, read, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { scriptedEngines, segment, spokenWav } from "#tests/server/jobs/scripted.ts";
import { save } from "#tests/server/transcription/saved.ts";

const Created = v.object({ id: v.string() });
const Entry = v.object({ message: v.string(), requestId: v.optional(v.string()), id: v.optional(v.string()) });
const sentence = "the harbour master drinks cold tea";

function entriesOf(lines: readonly string[]): v.InferOutput<typeof Entry>[] {
  return lines.map((line) => v.parse(Entry, JSON.parse(line)));
}

async function setUp(env: Record<string, string> = {}) {
  const lines: string[] = [];
  const hears = scriptedEngines({ transcribe: async (pcm) => [segment(sentence, 0, pcm.length / 32_000)] });
  const server = await startTestServer({ engines: hears, env, writeLog: (line) => void lines.push(line) });
  return { server, lines };
}

async function uploaded(person: Person): Promise<{ id: string; requestId: string | null }> {
  const answer = await upload(person, spokenWav(4), { name: "minutes of Ada.wav" });
  const requestId = answer.headers.get("X-Request-Id");
  const { id } = await read(answer, 202, Created);
  return { id, requestId };
}

// PROMISE security: No address, log or page holds a token
test("a whole run leaves no address, token, password, name or spoken word in the log", async () => {
  const { server, lines } = await setUp();
  const person = await signUp(server);
  const { id } = await uploaded(person);
  const { text } = await settled(person, id);
  expect(text).toBe(sentence);
  await save(person, { title: "Ada Lovelace at the pier", text: "nobody may read these five words" });
  await person.call("PATCH", "/users/me", { name: "Ada Lovelace of Marylebone", language: "en" });
  await person.call("PUT", "/users/me/vocabulary", { text: "Marylebone => Saint Mary", revision: 0 });
  await post(server, "/auth/login", { email: person.email, password: "a wrong password" });
  await post(server, "/auth/forgot-password", { email: person.email, language: "en" });
  await post(server, "/contact", {
    clientId: crypto.randomUUID(),
    name: "Charles Babbage",
    email: "charles@example.org",
    text: "please call me back soon",
    language: "en",
  });
  await fetch(`${server.apiUrl}/users/${person.email}?token=${person.token}&search=${encodeURIComponent(sentence)}`);
  const headers = { "Content-Type": "application/json" };
  await fetch(`${server.apiUrl}/auth/login`, { method: "POST", headers, body: `{"email": ${person.email}` });
  await person.call("GET", `${base}/transcription-history?search=${encodeURIComponent(sentence)}`);
  await person.call("DELETE", "/users/me", { password: "correct horse" });
  const log = lines.join("");
  expect(lines.length).toBeGreaterThan(10);
  const secrets = [person.email, person.token, "correct horse", "a wrong password", "charles@example.org"];
  const words = ["harbour", "Lovelace", "Babbage", "Marylebone", "five words", "call me back", "minutes of Ada"];
  expect([...secrets, ...words].filter((word) => log.includes(word))).toEqual([]);
});

test("the log removes the unreadable text from a parser's error", () => {
  let line = "";
  const log = createLog("info", Date.now, (entry) => {
    line = entry;
  });
  const failures = [() => JSON.parse(`{"text": ${sentence}`), () => v.parse(v.number(), sentence)];
  for (const fail of failures) {
    try {
      fail();
    } catch (error) {
      log.error("x", describeError(error));
    }
    expect(line).toContain("[secret]");
    expect(line).not.toContain("harbour");
  }
  log.error("x", describeError(new Error("UNIQUE constraint failed for Ada.Lovelace+x@mail.example.org")));
  expect(line).not.toContain("Lovelace");
});

test("the check for personal data in test logs finds addresses and spoken words", async () => {
  const { server } = await setUp();
  const { email } = await signUp(server);
  expect(personalIn(`{"message":"sent to ${email}"}`)).toBe(email);
  expect(personalIn('{"message":"heard w1 w2"}')).toBe("w1 w2");
  expect(personalIn('{"message":"request","route":"/users/me"}')).toBeUndefined();
});

test("log entries of a request and of the job it begins have the request's id", async () => {
  const { server, lines } = await setUp();
  const person = await signUp(server);
  const { id, requestId } = await uploaded(person);
  await settled(person, id);
  // The entry is written after the answer.
  const ofJob = await eventually(
    async () => entriesOf(lines).filter((entry) => entry.message === "job finished" && entry.id === id),
    (entries) => entries.length > 0,
  );
  expect(ofJob.map((entry) => entry.requestId)).toEqual([requestId]);
  const ofRequests = entriesOf(lines).filter(({ message }) => message === "request");
  expect(new Set(ofRequests.map((entry) => entry.requestId)).size).toBe(ofRequests.length);
});

test("accepts a request id only from a trusted proxy and only in a safe form", async () => {
  const ask = async (apiUrl: string, id: string) => {
    const answer = await fetch(`${apiUrl}/healthz`, { headers: { "X-Request-Id": id } });
    return answer.headers.get("X-Request-Id");
  };
  const own = /^[\da-f]{8}-[\da-f-]{27}$/;
  const { server } = await setUp();
  expect(await ask(server.apiUrl, "from-outside-1")).toMatch(own);
  const proxied = await setUp({ TRUST_PROXY: "1" });
  expect(await ask(proxied.server.apiUrl, "from-outside-1")).toBe("from-outside-1");
  for (const odd of ["short", "a b c d e f g h", 'a"b"c"d"e', "ada@example.org", "x".repeat(65)]) {
    expect(await ask(proxied.server.apiUrl, odd)).toMatch(own);
  }
  const named = await setUp({ TRUST_PROXY: "10.0.0.0/8" });
  expect(await ask(named.server.apiUrl, "from-outside-1")).toMatch(own);
});
