import * as v from "valibot";
import { describe, expect, onTestFinished, test } from "vitest";
import { EnginesAnswer, Transcription, TranscriptionEvent, TranslationAnswer } from "#contract/index.ts";
import { operationTexts } from "#server/http/operations.ts";
import { installTracer } from "#server/log/tracing.ts";
import { base, eventually, type Person, read, refusal, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { shareWith } from "#tests/server/people/shared.ts";
import { change, save } from "#tests/server/transcription/saved.ts";

describe("GET /transcription/{id}/audio", () => {
  async function withAudio() {
    const server = await startTestServer();
    const person = await signUp(server);
    const wav = buzzWav(2);
    const { id } = await read(await upload(person, wav, { type: "text/html", name: "a.html" }), 202, Transcription);
    return { server, person, wav, id, path: `${base}/transcription/${id}/audio` };
  }

  test("serves the whole audio with headers that prevent it from running", async () => {
    const { person, wav, path } = await withAudio();
    const answer = await person.call("GET", path);
    expect(Buffer.from(await answer.arrayBuffer()).equals(wav)).toBe(true);
    expect(answer.headers.get("Content-Type")).toBe("application/octet-stream");
    expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(answer.headers.get("Content-Security-Policy")).toContain("sandbox");
    expect(answer.headers.get("Content-Disposition")).toBe("inline");
  });

  test.each([
    ["bytes=0-99", 0, 100],
    ["bytes=64000-", 64_000, 64_044],
    ["bytes=-10", 64_034, 64_044],
    ["bytes=64040-99999", 64_040, 64_044],
  ])("the audio route serves the range %s", async (range, from, to) => {
    const { person, wav, path } = await withAudio();
    const answer = await person.call("GET", path, undefined, { Range: range });
    expect(answer.status).toBe(206);
    expect(answer.headers.get("Content-Range")).toBe(`bytes ${from}-${to - 1}/64044`);
    expect(Buffer.from(await answer.arrayBuffer()).equals(wav.subarray(from, to))).toBe(true);
  });

  test("answers 416 outside of the file, HEAD without a body, and an old validator with the whole", async () => {
    const { person, path } = await withAudio();
    const outside = await person.call("GET", path, undefined, { Range: "bytes=64044-" });
    expect([outside.status, outside.headers.get("Content-Range")]).toEqual([416, "bytes */64044"]);
    const head = await person.call("HEAD", path);
    expect([head.status, head.headers.get("Content-Length"), await head.text()]).toEqual([200, "64044", ""]);
    const old = await person.call("GET", path, undefined, { Range: "bytes=0-9", "If-Range": '"other"' });
    expect(old.status).toBe(200);
  });

  test("sets a cookie that plays only this one audio", async () => {
    const { server, person, path, id } = await withAudio();
    const access = await person.call("POST", `${path}-access`);
    expect(access.status).toBe(204);
    const [cookie = ""] = access.headers.getSetCookie();
    expect(cookie).toContain(`Path=${path}; HttpOnly; SameSite=Lax`);
    const Cookie = cookie.split(";", 1)[0] ?? "";
    expect((await fetch(`${server.apiUrl}${path}`, { headers: { Cookie } })).status).toBe(200);
    const other = await read(await upload(person, buzzWav(1)), 202, Transcription);
    const elsewhere = await fetch(`${server.apiUrl}${path.replace(id, other.id)}`, { headers: { Cookie } });
    expect(elsewhere.status).toBe(401);
    expect(
      (await fetch(`${server.apiUrl}/users/me`, { headers: { Authorization: `Bearer ${Cookie.split("=")[1]}` } })).status,
    ).toBe(401);
  });
});

describe("event streams", () => {
  async function* events(person: Person, path: string, headers: Record<string, string> = {}) {
    const answer = await person.call("GET", path, undefined, headers);
    expect(answer.headers.get("Content-Type")).toContain("text/event-stream");
    let text = "";
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
        const id = /^id: (.*)$/m.exec(text.slice(0, end))?.[1];
        text = text.slice(end + 2);
        if (data !== undefined) yield { id, ...v.parse(TranscriptionEvent, JSON.parse(data)) };
      }
    }
  }

  test("follows a transcription from its beginning to its end", async () => {
    const person = await signUp(await startTestServer());
    const { id } = await read(await upload(person, buzzWav(5)), 202, Transcription);
    for await (const { transcription, segments } of events(person, `${base}/transcription/${id}/events`)) {
      expect(transcription.id).toBe(id);
      if (transcription.status !== "completed") continue;
      expect(segments?.length).toBe(1);
      break;
    }
  });

  test("sends exactly the event names that the API's description lists", async () => {
    const server = await startTestServer();
    const [owner, reader] = [await signUp(server), await signUp(server)];
    const { id } = await save(owner);
    const share = await shareWith(owner, reader, id, "read");
    const namesOf = async (path: string, act: () => Promise<unknown>, enough: number) => {
      const ending = new AbortController();
      const headers = { Authorization: `Bearer ${reader.token}` };
      const answer = await fetch(`${server.apiUrl}${base}/${path}`, { headers, signal: ending.signal });
      const names = new Set<string>();
      let text = "";
      let hasActed = false;
      for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk;
        for (const [, name = ""] of text.matchAll(/^event: (.*)$/gm)) names.add(name);
        if (names.size === enough) break;
        if (names.size > 0 && !hasActed) await act();
        hasActed ||= names.size > 0;
      }
      ending.abort();
      return names;
    };
    const described = (call: "followTranscriptions" | "followTranscription") =>
      new Set([...operationTexts.more[call].matchAll(/`([a-z]+)`/g)].map(([, name = ""]) => name));
    await reader.call("POST", `${base}/folders`, { name: "Work", colour: "red" });
    expect(await namesOf("events", () => save(reader), 2)).toEqual(described("followTranscriptions"));
    const withdraw = async () => {
      await reader.call("POST", `${base}/folders`, { name: "Home", colour: "red" });
      await owner.call("DELETE", `${base}/transcription/${id}/people/${share.id}`);
    };
    expect(await namesOf(`transcription/${id}/events`, withdraw, 2)).toEqual(described("followTranscription"));
  });

  test("resumes a user's event stream where a lost stream ended", async () => {
    const server = await startTestServer();
    const [person, other] = [await signUp(server), await signUp(server)];
    const { id } = await save(person, { title: "one" });
    const seen: string[] = [];
    const stream = events(person, `${base}/events`);
    const first = stream.next();
    await save(other, { title: "not for you" });
    await change(person, id, { title: "two" });
    const event = await first;
    if (event.done === true) throw new Error("the stream ended");
    seen.push(event.value.transcription.title);
    await stream.return();
    await change(person, id, { title: "three" });
    for await (const { transcription } of events(person, `${base}/events`, { "Last-Event-ID": event.value.id ?? "" })) {
      seen.push(transcription.title);
      break;
    }
    expect(seen).toEqual(["two", "three"]);
  });
});

/** Counts the database queries of all event streams. */
function countQuestions(): () => number {
  let count = 0;
  const isQuestion = (text: string) => /"revision", "weight"/.test(text) || /id \|\| '' = /.test(text);
  installTracer({
    run: (_, work) => work({ set: () => {} }),
    record: ({ attributes }) => {
      if (isQuestion(String(attributes["db.query.text"] ?? ""))) count += 1;
    },
  });
  onTestFinished(() => installTracer(undefined));
  return () => count;
}

test("an idle event stream makes no queries while others work, and sends its user's change at once", async () => {
  const asked = countQuestions();
  const server = await startTestServer();
  const [idle, busy] = [await signUp(server), await signUp(server)];
  const { id } = await save(idle, { title: "one" });
  const openedAt = performance.now();
  const streams = [await idle.call("GET", `${base}/events`), await idle.call("GET", `${base}/transcription/${id}/events`)].map(
    (answer) => answer.body?.pipeThrough(new TextDecoderStream()).getReader(),
  );
  // Each stream begins with one query.
  await eventually(
    async () => asked(),
    (count) => count >= 2,
  );
  const before = asked();
  const made = await read(await upload(busy, buzzWav(5)), 202, Transcription);
  expect(await settled(busy, made.id)).toMatchObject({ status: "completed" });
  // On a busy machine this may take longer than the ten seconds after which each stream polls anyway.
  expect(asked() - before).toBeLessThanOrEqual(streams.length * Math.floor((performance.now() - openedAt) / 10_000));
  await change(idle, id, { title: "two" });
  for (const reader of streams) {
    let text = "";
    while (!text.includes('"two"')) text += (await reader?.read())?.value ?? "";
    await reader?.cancel();
  }
  expect(asked()).toBeGreaterThan(before);
});

test("lists available engines and languages with the reasons for missing ones", async () => {
  const server = await startTestServer();
  const answer = await read(await fetch(`${server.apiUrl}/api/v1/engines`), 200, EnginesAnswer);
  expect(answer.speech.languages.find(({ code }) => code === "auto")).toMatchObject({ available: true, resolvesTo: "en" });
  expect(answer.speech.languages.find(({ code }) => code === "fi-FI")).toMatchObject({ available: false, reason: "noEngine" });
  expect(answer.translation.pairs).toContainEqual({ source: "en", target: "es", engine: "apertium" });
  expect(answer.limits.maxUploadBytes).toBe(2048 * 1024 * 1024);
});

test("translates single texts line by line", async () => {
  const person = await signUp(await startTestServer());
  const ask = (body: object) => person.call("POST", "/api/v1/translations", body);
  const { text } = await read(await ask({ text: "one\n\ntwo", source: "auto", target: "es" }), 200, TranslationAnswer);
  expect(text).toBe("es:one\n\nes:two");
  expect(await refusal(await ask({ text: "one", source: "en", target: "de" }))).toBe("422 translationUnavailable");
  expect(await refusal(await ask({ text: "x".repeat(200_001), source: "en", target: "es" }))).toBe("400 badRequest");
});
