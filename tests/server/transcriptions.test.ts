import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import {
  DeletionAnswer,
  EnginesAnswer,
  HistoryAnswer,
  Transcription,
  TranscriptionEvent,
  TranslationAnswer,
} from "../../src/api/contract/index.ts";
import {
  base,
  getTranscription,
  type Person,
  read,
  refusal,
  settled,
  signUp,
  startTestServer,
  testClock,
  upload,
} from "./harness.ts";
import { buzzWav, scriptedTranslation, segment } from "./scripted.ts";

interface Draft {
  clientId?: string;
  title?: string;
  text?: string;
  translatedText?: string;
  date?: string;
  segments?: ReturnType<typeof segment>[];
  targetLanguage?: string | null;
}

async function save(person: Person, draft: Draft = {}): Promise<Transcription> {
  const final = {
    clientId: crypto.randomUUID(),
    title: "Untitled",
    text: draft.segments?.map(({ text }) => text).join(" ") ?? "hello",
    segments: [],
    sourceLanguage: "en",
    targetLanguage: null,
    date: "2026-03-01T10:00:00.000Z",
    ...draft,
  };
  return read(await person.call("POST", `${base}/save-final-transcription`, final), 200, Transcription);
}

const change = async (person: Person, id: string, update: object) =>
  read(await person.call("PUT", `/audio/remove-transcription/${id}`, update), 200, Transcription);

async function history(person: Person, query = ""): Promise<v.InferOutput<typeof HistoryAnswer>> {
  return read(await person.call("GET", `${base}/transcription-history${query}`), 200, HistoryAnswer);
}

const titles = async (person: Person, query: string) => (await history(person, query)).data.map(({ title }) => title);

describe("the history", () => {
  test("comes newest first, in pages", async () => {
    const person = await signUp(await startTestServer());
    for (let day = 1; day <= 5; day++) await save(person, { title: `day ${day}`, date: `2026-03-0${day}T10:00:00.000Z` });
    const first = await history(person, "?limit=2");
    expect(first.data.map(({ title }) => title)).toEqual(["day 5", "day 4"]);
    expect(first.pagination).toEqual({ page: 1, limit: 2, total: 5, totalPages: 3 });
    expect(await titles(person, "?limit=2&page=3")).toEqual(["day 1"]);
    expect(await titles(person, "?limit=2&page=4")).toEqual([]);
    expect((await history(person)).pagination).toMatchObject({ page: 1, limit: 20 });
  });

  test("is searched in title, text and translation, whatever the case, in any script", async () => {
    const person = await signUp(await startTestServer());
    await save(person, { title: "Über Äpfel", text: "ein Gespräch" });
    await save(person, { title: "Birnen", text: "ПРИВЕТ", translatedText: "HOLA señor" });
    await save(person, { title: "100% sure_thing", text: "back\\slash" });
    expect(await titles(person, "?search=%C3%A4PFEL")).toEqual(["Über Äpfel"]);
    expect(await titles(person, `?search=${encodeURIComponent("привет")}`)).toEqual(["Birnen"]);
    expect(await titles(person, `?search=${encodeURIComponent(" SEÑOR ")}`)).toEqual(["Birnen"]);
    // What LIKE would take for a pattern is text.
    expect(await titles(person, "?search=0%25")).toEqual(["100% sure_thing"]);
    expect(await titles(person, "?search=e_t")).toEqual(["100% sure_thing"]);
    expect(await titles(person, "?search=%25")).toEqual(["100% sure_thing"]);
    expect(await titles(person, "?search=k%5Cs")).toEqual(["100% sure_thing"]);
    expect(await titles(person, "?search=nothing")).toEqual([]);
    expect(await titles(person, "?search=%20")).toHaveLength(3);
  });

  test.each(["?page=0", "?limit=0", "?limit=1001", "?page=x", "?page=-1"])("refuses %s", async (query) => {
    const person = await signUp(await startTestServer());
    expect(await refusal(await person.call("GET", `${base}/transcription-history${query}`))).toBe("400 badRequest");
  });
});

describe("saving what was dictated", () => {
  test("twice under the same client id saves once", async () => {
    const person = await signUp(await startTestServer());
    const clientId = crypto.randomUUID();
    const one = await save(person, { clientId, title: "first" });
    const other = await save(person, { clientId, title: "second" });
    expect(other).toEqual(one);
    expect((await history(person)).pagination.total).toBe(1);
  });

  test("the same client id of someone else is another one", async () => {
    const server = await startTestServer();
    const [one, other] = [await signUp(server), await signUp(server)];
    const clientId = crypto.randomUUID();
    const first = await save(one, { clientId });
    expect((await save(other, { clientId })).id).not.toBe(first.id);
  });
});

describe("other people's transcriptions", () => {
  test("are not there, whatever is asked", async () => {
    const server = await startTestServer();
    const [owner, stranger] = [await signUp(server), await signUp(server)];
    const { id } = await read(await upload(owner, buzzWav(2)), 202, Transcription);
    await settled(owner, id);
    const calls: [string, string, object?][] = [
      ["GET", `${base}/transcription/${id}`],
      ["GET", `${base}/transcription/${id}/export?format=txt`],
      ["GET", `${base}/transcription/${id}/audio`],
      ["GET", `${base}/transcription/${id}/events`],
      ["POST", `${base}/transcription/${id}/audio-access`],
      ["PUT", `/audio/remove-transcription/${id}`, { title: "mine" }],
      ["PUT", `/audio/remove-transcription/${id}`, { deletedAt: null }],
      ["DELETE", `/audio/remove-transcription/${id}`],
    ];
    for (const [method, path, body] of calls) expect(await refusal(await stranger.call(method, path, body))).toBe("404 notFound");
    expect((await history(stranger)).pagination.total).toBe(0);
    expect((await getTranscription(owner, id)).title).toBe("speech");
  });

  test("need a sign-in to be asked for at all", async () => {
    const server = await startTestServer();
    const paths = ["transcription-history", "transcription/x", "transcription/x/audio", "transcription/x/export", "events"];
    for (const path of paths) expect(await refusal(await fetch(`${server.apiUrl}${base}/${path}`))).toBe("401 unauthorized");
    for (const [method, path] of [
      ["POST", `${base}/upload-and-transcribe`],
      ["POST", `${base}/save-final-transcription`],
      ["DELETE", "/audio/remove-transcription/x"],
      ["POST", "/api/v1/translations"],
    ] as const) {
      expect(await refusal(await fetch(`${server.apiUrl}${path}`, { method }))).toBe("401 unauthorized");
    }
  });
});

describe("corrections", () => {
  const spoken = [segment("hello wold how are you", 1, 3), segment("this is fine", 4, 5.5)];

  test("keep the times of the words that stay", async () => {
    const person = await signUp(await startTestServer());
    const { id } = await save(person, { segments: spoken });
    const after = await change(person, id, { edits: [{ index: 0, text: "Hello, world! How are you?" }] });
    expect(after.text).toBe("Hello, world! How are you? this is fine");
    expect(after.segments[0]?.words.map(({ text, start }) => [text, start])).toEqual([
      ["Hello,", 1],
      ["world!", 1.4],
      ["How", 1.8],
      ["are", 2.2],
      ["you?", 2.6],
    ]);
    expect(after.segments[1]).toEqual(spoken[1]);
    expect(await titles(person, "?search=world")).toHaveLength(1);
  });

  test("of the whole text reach the right segments", async () => {
    const person = await signUp(await startTestServer());
    const { id } = await save(person, { segments: spoken });
    const after = await change(person, id, { text: "hello world how are you\n\nThis was really fine" });
    expect(after.text).toBe("hello world how are you\n\nThis was really fine");
    expect(after.segments.map(({ text }) => text)).toEqual(["hello world how are you", "This was really fine"]);
  });

  test("translate again what has changed, and nothing else", async () => {
    const asked: string[] = [];
    const translation = scriptedTranslation(async (texts) => {
      asked.push(...texts);
      return texts.map((text) => text.toUpperCase());
    });
    const person = await signUp(await startTestServer({ translation }));
    const { id } = await save(person, { segments: spoken });
    expect((await change(person, id, { targetLanguage: "es" })).translatedText).toBe("HELLO WOLD HOW ARE YOU THIS IS FINE");
    const after = await change(person, id, { edits: [{ index: 1, text: "that is fine" }] });
    expect(after.translatedText).toBe("HELLO WOLD HOW ARE YOU THAT IS FINE");
    expect(asked).toEqual(["hello wold how are you", "this is fine", "that is fine"]);
    expect(await titles(person, "?search=that%20is")).toHaveLength(1);
    const without = await change(person, id, { targetLanguage: null });
    expect(without).toMatchObject({ translatedText: "", targetLanguage: null });
    expect(without.segments.every(({ translation: own }) => own === undefined)).toBe(true);
  });

  test("are kept even if their translation fails, and a retry translates the rest", async () => {
    let down = false;
    const translation = scriptedTranslation(async (texts) => {
      if (down) throw new Error("down");
      return texts.map((text) => `es:${text}`);
    });
    const person = await signUp(await startTestServer({ translation }));
    const { id } = await save(person, { segments: spoken });
    await change(person, id, { targetLanguage: "es" });
    down = true;
    const after = await change(person, id, { edits: [{ index: 1, text: "that is fine" }] });
    expect(after).toMatchObject({ text: "hello wold how are you that is fine", translatedText: "es:hello wold how are you" });
    expect(after.error?.code).toBe("translationFailed");
    expect(await refusal(await person.call("PUT", `/audio/remove-transcription/${id}`, { targetLanguage: "fr" }))).toBe(
      "502 translationFailed",
    );
    expect((await getTranscription(person, id)).targetLanguage).toBe("es");
    down = false;
    const retried = await change(person, id, { retry: true });
    expect(retried).toMatchObject({ translatedText: "es:hello wold how are you es:that is fine", error: null });
  });

  test.each([
    ["a segment that is not there", { edits: [{ index: 9, text: "x" }] }, "400 badRequest"],
    ["an empty title", { title: " " }, "400 badRequest"],
    ["a translation that is not set up", { targetLanguage: "de" }, "422 translationUnavailable"],
  ])("%s is refused", async (_, update, expected) => {
    const person = await signUp(await startTestServer());
    const { id } = await save(person, { segments: spoken });
    expect(await refusal(await person.call("PUT", `/audio/remove-transcription/${id}`, update))).toBe(expected);
  });
});

describe("deletion", () => {
  async function deleted() {
    const clock = testClock();
    const server = await startTestServer({ now: clock.now });
    const person = await signUp(server);
    const { id } = await read(await upload(person, buzzWav(2)), 202, Transcription);
    await settled(person, id);
    const answer = await read(await person.call("DELETE", `/audio/remove-transcription/${id}`), 200, DeletionAnswer);
    return { clock, server, person, id, answer };
  }

  test("takes it away at once and says when it is gone for good", async () => {
    const { clock, person, id, answer } = await deleted();
    expect(answer).toEqual({ id, purgeAt: new Date(clock.now() + 600_000).toISOString() });
    expect((await history(person)).pagination.total).toBe(0);
    expect(await refusal(await person.call("GET", `${base}/transcription/${id}`))).toBe("404 notFound");
    expect(await refusal(await person.call("GET", `${base}/transcription/${id}/audio`))).toBe("404 notFound");
    expect(await refusal(await person.call("DELETE", `/audio/remove-transcription/${id}`))).toBe("404 notFound");
  });

  test("can be undone for ten minutes", async () => {
    const { clock, server, person, id } = await deleted();
    clock.advance(599_000);
    await server.sweep();
    expect((await change(person, id, { deletedAt: null })).hasAudio).toBe(true);
    expect((await history(person)).pagination.total).toBe(1);
    expect((await person.call("GET", `${base}/transcription/${id}/audio`)).status).toBe(200);
  });

  test("is final after ten minutes: row and audio are gone", async () => {
    const { clock, server, person, id } = await deleted();
    clock.advance(600_000);
    expect(await refusal(await person.call("PUT", `/audio/remove-transcription/${id}`, { deletedAt: null }))).toBe("410 gone");
    await server.sweep();
    expect(await refusal(await person.call("PUT", `/audio/remove-transcription/${id}`, { deletedAt: null }))).toBe(
      "404 notFound",
    );
    expect(await readdir(join(server.dataDir, "audio"))).toEqual([]);
  });
});

describe("export", () => {
  const segments = [segment("fish & <chips>", 0, 1.2345), segment("an arrow --> here", 3661.5, 3662)];
  const exported = async (format: string, draft: Draft = {}) => {
    const person = await signUp(await startTestServer());
    const { id } = await save(person, { title: "Tee: für / zwei", segments, ...draft });
    const answer = await person.call("GET", `${base}/transcription/${id}/export?format=${format}`);
    return {
      body: await answer.text(),
      type: answer.headers.get("Content-Type"),
      name: answer.headers.get("Content-Disposition"),
    };
  };

  test("SubRip", async () => {
    const { body, type, name } = await exported("srt");
    expect(body).toBe("1\n00:00:00,000 --> 00:00:01,235\nfish & <chips>\n\n2\n01:01:01,500 --> 01:01:02,000\nan arrow → here\n");
    expect(type).toBe("application/x-subrip; charset=utf-8");
    expect(name).toBe(`attachment; filename="Tee f_r zwei.srt"; filename*=UTF-8''Tee%20f%C3%BCr%20zwei.srt`);
  });

  test("WebVTT", async () => {
    const { body } = await exported("vtt");
    expect(body).toBe(
      "WEBVTT\n\n00:00:00.000 --> 00:00:01.235\nfish &amp; &lt;chips&gt;\n\n01:01:01.500 --> 01:01:02.000\nan arrow --&gt; here\n",
    );
  });

  test("text and JSON, with the translation", async () => {
    const translated = segments.map((own) => ({ ...own, translation: `es:${own.text}` }));
    expect((await exported("txt", { segments: translated })).body).toBe(
      "fish & <chips>\nan arrow --> here\n\nes:fish & <chips>\nes:an arrow --> here\n",
    );
    expect(JSON.parse((await exported("json", { segments: translated })).body)).toMatchObject({
      title: "Tee: für / zwei",
      segments: translated,
    });
    expect((await exported("srt", { segments: translated })).body).toContain("fish & <chips>\nes:fish & <chips>\n\n2\n");
  });

  test("long segments become cues of two lines at most, timed by their words", async () => {
    const long = segment(Array.from({ length: 40 }, (_, i) => `word${i}`).join(" "), 10, 30);
    const { body } = await exported("srt", { segments: [long] });
    const cues = body.trim().split("\n\n");
    expect(cues.length).toBeGreaterThan(2);
    expect(cues[0]).toContain("00:00:10,000 -->");
    expect(cues.at(-1)).toContain("--> 00:00:30,000");
    for (const cue of cues) expect(cue.split("\n")[2]?.length).toBeLessThanOrEqual(84);
    expect(cues.map((cue) => cue.split("\n")[2]).join(" ")).toBe(long.text);
  });

  test("an unknown format is refused", async () => {
    const person = await signUp(await startTestServer());
    const { id } = await save(person);
    expect(await refusal(await person.call("GET", `${base}/transcription/${id}/export?format=exe`))).toBe("400 badRequest");
  });
});

describe("audio", () => {
  async function withAudio() {
    const server = await startTestServer();
    const person = await signUp(server);
    const wav = buzzWav(2);
    const { id } = await read(await upload(person, wav, { type: "text/html", name: "a.html" }), 202, Transcription);
    return { server, person, wav, id, path: `${base}/transcription/${id}/audio` };
  }

  test("is served whole, and never as something that could run", async () => {
    const { person, wav, path } = await withAudio();
    const answer = await person.call("GET", path);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(wav);
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
  ])("%s", async (range, from, to) => {
    const { person, wav, path } = await withAudio();
    const answer = await person.call("GET", path, undefined, { Range: range });
    expect(answer.status).toBe(206);
    expect(answer.headers.get("Content-Range")).toBe(`bytes ${from}-${to - 1}/64044`);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(wav.subarray(from, to));
  });

  test("a range outside is 416, HEAD has no body, an old validator gets the whole", async () => {
    const { person, path } = await withAudio();
    const outside = await person.call("GET", path, undefined, { Range: "bytes=64044-" });
    expect([outside.status, outside.headers.get("Content-Range")]).toEqual([416, "bytes */64044"]);
    const head = await person.call("HEAD", path);
    expect([head.status, head.headers.get("Content-Length"), await head.text()]).toEqual([200, "64044", ""]);
    const old = await person.call("GET", path, undefined, { Range: "bytes=0-9", "If-Range": '"other"' });
    expect(old.status).toBe(200);
  });

  test("plays with a cookie that is good for this one audio", async () => {
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

describe("events", () => {
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

  test("follow a transcription from its beginning to its end", async () => {
    const person = await signUp(await startTestServer());
    const { id } = await read(await upload(person, buzzWav(5)), 202, Transcription);
    for await (const { transcription, segments } of events(person, `${base}/transcription/${id}/events`)) {
      expect(transcription.id).toBe(id);
      if (transcription.status !== "completed") continue;
      expect(segments?.length).toBe(1);
      break;
    }
  });

  test("of all of one's own go on from where a lost stream has ended", async () => {
    const server = await startTestServer();
    const [person, stranger] = [await signUp(server), await signUp(server)];
    const { id } = await save(person, { title: "one" });
    const seen: string[] = [];
    const stream = events(person, `${base}/events`);
    const first = stream.next();
    await save(stranger, { title: "not for you" });
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

test("engines say what works here, and only a superuser what is wrong", async () => {
  const server = await startTestServer();
  const answer = await read(await fetch(`${server.apiUrl}/api/v1/engines`), 200, EnginesAnswer);
  expect(answer.speech.languages.find(({ code }) => code === "auto")).toMatchObject({ available: true, resolvesTo: "en" });
  expect(answer.speech.languages.find(({ code }) => code === "fi-FI")).toMatchObject({ available: false, reason: "noEngine" });
  expect(answer.translation.pairs).toContainEqual({ source: "en", target: "es", engine: "apertium" });
  expect(answer.limits.maxUploadBytes).toBe(2048 * 1024 * 1024);
});

test("single texts are translated line by line", async () => {
  const person = await signUp(await startTestServer());
  const ask = (body: object) => person.call("POST", "/api/v1/translations", body);
  const { text } = await read(await ask({ text: "one\n\ntwo", source: "auto", target: "es" }), 200, TranslationAnswer);
  expect(text).toBe("es:one\n\nes:two");
  expect(await refusal(await ask({ text: "one", source: "en", target: "de" }))).toBe("422 translationUnavailable");
  expect(await refusal(await ask({ text: "x".repeat(200_001), source: "en", target: "es" }))).toBe("400 badRequest");
});
