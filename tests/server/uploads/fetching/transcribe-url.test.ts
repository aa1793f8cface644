import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { openSql } from "#tests/server/database.ts";
import {
  base,
  eventually,
  getTranscription,
  type Person,
  read,
  refusal,
  settled,
  signUp,
  startTestServer,
  upload,
} from "#tests/server/harness.ts";
import { buzzWav, scriptedEngines, silentWav, spokenWav } from "#tests/server/jobs/scripted.ts";
import { leadingTo, type Media, openMedia, sending } from "#tests/server/media.ts";
import { scriptedDiarizer, twoVoices } from "#tests/server/processing/scripted-diarizer.ts";
import { useUp } from "#tests/server/subscription/used-up.ts";

const wav = buzzWav(3);
const audio = sending(wav, { "Content-Type": "audio/wav" });

/** Names that these tests' DNS resolves. */
const names: Record<string, string> = { "media.test": "127.0.0.1", "public.test": "8.8.8.8" };
const resolve = async (hostname: string) => {
  const address = names[hostname];
  if (address === undefined) throw new Error("no such name");
  return [{ address }];
};

const ask = (person: Person, url: string, more: object = {}) =>
  person.call("POST", `${base}/transcribe-url`, { clientId: crypto.randomUUID(), sourceLanguage: "en", url, ...more });

/** A server that may fetch from `media.test`, and a user. */
async function fetching(media: Media, options: Parameters<typeof startTestServer>[0] = {}) {
  const env = { FETCH_ALLOW_HOSTS: `media.test:${media.port}`, ...options.env };
  const server = await startTestServer({ resolve, ...options, env });
  const person = await signUp(server);
  const at = (path: string) => `http://media.test:${media.port}${path}`;
  const made = async (url: string, more: object = {}) => {
    const { id } = await read(await ask(person, url, more), 202, Transcription);
    return settled(person, id);
  };
  return { server, person, at, made };
}

const incoming = (dataDir: string) => readdir(join(dataDir, "incoming"));

describe("POST /transcribe-url", () => {
  test("transcribes a recording at an address and names it after its file", async () => {
    const media = await openMedia({ "/talks/Morning%20talk.wav": audio });
    const { person, at, made } = await fetching(media);
    const done = await made(at("/talks/Morning%20talk.wav?token=secret"), { targetLanguage: "es", vocabulary: "Parlance" });
    expect(done).toMatchObject({ status: "completed", origin: "url", title: "Morning talk", fileName: "Morning talk.wav" });
    expect(done).toMatchObject({ hasAudio: true, durationSeconds: 3, text: "piece 3", translatedText: "es:piece 3" });
    const kept = await person.call("GET", `${base}/transcription/${done.id}/audio`);
    expect(kept.headers.get("content-type")).toBe("audio/wav");
    expect(Buffer.from(await kept.arrayBuffer()).equals(wav)).toBe(true);
  });

  test("passes the number of speakers to diarization", async () => {
    const media = await openMedia({ "/a.wav": audio });
    const diarizer = scriptedDiarizer(twoVoices(2));
    const { at, made } = await fetching(media, { diarizer });
    expect((await made(at("/a.wav"), { speakers: "1", speakerCount: 4 })).status).toBe("completed");
    expect(diarizer.asked.map(({ speakers }) => speakers)).toEqual([4]);
  });

  test("sends no data of the user or the server with the request", async () => {
    const media = await openMedia({ "/a.wav": audio });
    const { at, made } = await fetching(media);
    await made(at("/a.wav"));
    const [request] = media.asked;
    expect(request?.headers["accept-encoding"]).toBe("identity");
    expect(request?.headers["user-agent"]).toMatch(/^Parlance/);
    expect(Object.keys(request?.headers ?? {}).toSorted()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
    ]);
  });

  test("keeps a given title and otherwise uses the file name from the response's header", async () => {
    const media = await openMedia({
      "/download": sending(wav, { "Content-Disposition": "attachment; filename*=UTF-8''Gespr%C3%A4ch.wav" }),
      "/latin": sending(wav, { "Content-Disposition": "attachment; filename*=ISO-8859-1'de'Gespr%E4ch.wav" }),
      "/bytes": sending(wav, { "Content-Disposition": Buffer.from('attachment; filename = "Gespräch.wav"').toString("latin1") }),
      "/plain": sending(wav, { "Content-Disposition": 'attachment; filename="../../etc/pass"' }),
    });
    const { at, made } = await fetching(media);
    expect(await made(at("/download"))).toMatchObject({ title: "Gespräch", fileName: "Gespräch.wav" });
    for (const path of ["/latin", "/bytes"]) expect(await made(at(path))).toMatchObject({ fileName: "Gespräch.wav" });
    expect(await made(at("/download"), { title: "Mine" })).toMatchObject({ title: "Mine", fileName: "Gespräch.wav" });
    expect(await made(at("/plain"))).toMatchObject({ title: "pass", fileName: "pass" });
  });

  test("follows at most five redirects, including relative ones", async () => {
    const media = await openMedia({
      "/1": leadingTo("/2", 301),
      "/2": leadingTo("?3", 302),
      "/4": leadingTo("/4"),
      "/a.wav": audio,
    });
    media.asked.length = 0;
    const { at, made } = await fetching(media);
    expect(await made(at("/4"))).toMatchObject({ status: "failed", error: { code: "urlUnreachable" } });
    expect(media.asked.length).toBe(6);
    const through = await openMedia({ "/1": leadingTo("2", 307), "/2": leadingTo("/a.wav", 308), "/a.wav": audio });
    const other = await fetching(through);
    expect((await other.made(other.at("/1"))).status).toBe("completed");
  });

  // PROMISE addresses: Recordings and podcasts come from a web address, from the public network alone
  test("fetches the newest episode when the address is a podcast's feed", async () => {
    const feed = `<rss><channel>
      <item><title>Old</title><pubDate>Mon, 02 Mar 2026 06:00:00 GMT</pubDate><enclosure url="/old.wav" type="audio/wav"/></item>
      <item><title>Épisode &amp; more</title><pubDate>Mar, 03 März 2026 06:00 CEST</pubDate><enclosure url="new.wav?a=1&amp;b=2" type="audio/wav"/></item>
    </channel></rss>`;
    const media = await openMedia({
      "/shows/feed": sending(feed, { "Content-Type": "application/rss+xml" }),
      "/shows/latin": sending(Buffer.from(feed, "latin1"), { "Content-Type": "text/xml; charset=ISO-8859-1" }),
      "/shows/wide": sending(Buffer.from(`\ufeff${feed}`, "utf16le"), { "Content-Type": "text/xml" }),
      "/shows/packed": sending(gzipSync(feed), { "Content-Encoding": "gzip", "Content-Type": "text/xml" }),
      "/shows/new.wav": audio,
    });
    const { at, made } = await fetching(media);
    for (const path of ["/shows/feed", "/shows/latin", "/shows/wide"]) {
      expect(await made(at(path))).toMatchObject({ status: "completed", title: "Épisode & more", fileName: "new.wav" });
    }
    expect(media.asked.at(-1)?.url).toBe("/shows/new.wav?a=1&b=2");
    expect((await made(at("/shows/packed"))).status).toBe("completed");
  });

  test("fetches an address once when it is requested twice with the same client id", async () => {
    const media = await openMedia({ "/a.wav": audio });
    const { person, at } = await fetching(media);
    const more = { clientId: crypto.randomUUID() };
    const both = await Promise.all([ask(person, at("/a.wav"), more), ask(person, at("/a.wav"), more)]);
    const ids = await Promise.all(both.map(async (answer) => (await read(answer, 202, Transcription)).id));
    expect(new Set(ids).size).toBe(1);
    await settled(person, ids[0] ?? "");
    expect((await read(await ask(person, at("/a.wav"), more), 202, Transcription)).id).toBe(ids[0]);
    expect(media.asked.length).toBe(1);
  });

  test("reports progress and stops fetching when the transcription is deleted", async () => {
    let gone = false;
    const media = await openMedia({
      "/a.wav": (_request, response) => {
        response.on("close", () => {
          gone = true;
        });
        response.writeHead(200, { "Content-Length": String(wav.length) });
        response.write(wav.subarray(0, wav.length / 2));
      },
    });
    const { server, person, at } = await fetching(media);
    const { id } = await read(await ask(person, at("/a.wav")), 202, Transcription);
    const { progress } = await eventually(
      () => getTranscription(person, id),
      (now) => (now.progress?.fraction ?? 0) > 0,
    );
    expect(progress).toMatchObject({ stage: "fetching", fraction: 0.05 });
    await person.call("DELETE", `/audio/remove-transcription/${id}`);
    await eventually(
      async () => gone,
      (is) => is,
    );
    await eventually(
      () => incoming(server.dataDir),
      (files) => files.length === 0,
    );
  });

  test("retries a temporary failure and lets the user retry after the last attempt", async () => {
    let well = false;
    const media = await openMedia({
      "/a.wav": (request, response) => (well ? audio(request, response) : void response.writeHead(503).end()),
    });
    let now = Date.parse("2026-03-01T12:00:00Z");
    const { person, at } = await fetching(media, { now: () => now });
    const { id } = await read(await ask(person, at("/a.wav")), 202, Transcription);
    const failed = await eventually(
      async () => {
        now += 10_000;
        return getTranscription(person, id);
      },
      ({ status }) => status === "failed",
    );
    expect(failed).toMatchObject({ error: { code: "urlUnreachable" }, hasAudio: false });
    expect(media.asked.length).toBe(3);
    well = true;
    await read(await person.call("PUT", `/audio/remove-transcription/${id}`, { retry: true }), 200, Transcription);
    expect(await settled(person, id)).toMatchObject({ status: "completed", hasAudio: true });
  });

  test("fetches a recording again after the server stops midway", async () => {
    let times = 0;
    const media = await openMedia({
      "/a.wav": (request, response) => {
        times += 1;
        if (times > 1) return audio(request, response);
        response.writeHead(200, { "Content-Length": String(wav.length) }).write(wav.subarray(0, 1000));
      },
    });
    const { server, person, at } = await fetching(media);
    const { id } = await read(await ask(person, at("/a.wav")), 202, Transcription);
    await eventually(
      async () => times,
      (count) => count === 1,
    );
    await server.close();
    const env = { FETCH_ALLOW_HOSTS: `media.test:${media.port}`, PORT: new URL(server.apiUrl).port };
    await startTestServer({ resolve, dataDir: server.dataDir, env });
    expect(await settled(person, id)).toMatchObject({ status: "completed", durationSeconds: 3 });
    expect(times).toBe(2);
  });

  test("transcribes another file while slow addresses are fetched", async () => {
    const media = await openMedia({ "/a.wav": (_request, response) => void response.writeHead(200).flushHeaders() });
    const { person, at } = await fetching(media, { engines: scriptedEngines({ parallel: 1 }) });
    for (let i = 0; i < 10; i++) await read(await ask(person, at("/a.wav")), 202, Transcription);
    expect(await refusal(await ask(person, at("/a.wav")))).toBe("429 tooManyRequests");
    const { id } = await read(await upload(person, silentWav(1)), 202, Transcription);
    expect((await settled(person, id)).status).toBe("completed");
  });

  test("counts fetched recordings as minutes and refuses them at the limit", async () => {
    const media = await openMedia({ "/a.wav": audio, "/rest.wav": sending(spokenWav(6)) });
    const { server, person, at, made } = await fetching(media);
    await useUp(server.dataDir, person, 9.9);
    await made(at("/rest.wav"));
    const usage = await (await person.call("GET", "/api/v1/usage")).json();
    expect(usage).toMatchObject({ usedTranslationMinutes: 10 });
    expect(await refusal(await ask(person, at("/a.wav")))).toBe("402 limitReached");
  });
});

describe("refusals of an address", () => {
  test.each([
    ["an address of this machine", "http://127.0.0.1:8080/a.mp3", {}, "422 urlRefused"],
    ["a name that stands for it", "http://media.test:8080/a.mp3", {}, "422 urlRefused"],
    ["a file", "file:///etc/passwd", {}, "422 urlRefused"],
    ["a password", "https://me:secret@public.test/a.mp3", {}, "422 urlRefused"],
    ["a name that there is not", "https://nowhere.test/a.mp3", {}, "422 urlUnreachable"],
    ["no address", "talk.mp3", {}, "422 urlRefused"],
    ["nothing", " ", {}, "400 badRequest"],
    ["a language that nobody hears", "https://public.test/a.mp3", { sourceLanguage: "fi-FI" }, "422 languageUnavailable"],
    ["a translation that there is not", "https://public.test/a.mp3", { targetLanguage: "zu" }, "422 translationUnavailable"],
    ["a name that is no id", "https://public.test/a.mp3", { clientId: "1" }, "400 badRequest"],
  ])("refuses an address at once: %s", async (_name, url, more, expected) => {
    const server = await startTestServer({ resolve });
    const person = await signUp(server);
    expect(await refusal(await ask(person, url, more))).toBe(expected);
    expect((await fetch(`${server.apiUrl}${base}/transcribe-url`, { method: "POST" })).status).toBe(401);
  });
});

describe("addresses without a recording", () => {
  test.each([
    ["a web page", "<!doctype html><html><body>Listen now!</body></html>", "notAudio"],
    ["a page that begins late", "\n\n  <html>", "notAudio"],
    ["a feed without recordings", "<rss><channel><item><title>News</title></item></channel></rss>", "notAudio"],
    ["a feed that leads to itself", '<rss><channel><item><enclosure url="/it"/></item></channel></rss>', "notAudio"],
    ["a picture", "\x89PNG\r\n\x1a\n0000", "notAudio"],
    ["a playlist, which would make ffmpeg open other files", "#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n", "notAudio"],
    ["nothing", "", "emptyFile"],
  ])("fails with a reason when the address returns %s", async (_name, body, code) => {
    const media = await openMedia({ "/it": sending(body) });
    const { at, made } = await fetching(media);
    expect(await made(at("/it"))).toMatchObject({ status: "failed", error: { code } });
  });

  test("doesn't retry an address that answers 404", async () => {
    const media = await openMedia({});
    const { at, made } = await fetching(media);
    expect((await made(at("/gone.mp3"))).error?.code).toBe("urlUnreachable");
    expect(media.asked.length).toBe(1);
  });
});

test("logs no fetched addresses", async () => {
  const lines: string[] = [];
  const media = await openMedia({ "/a.wav": (_request, response) => void response.writeHead(404).end() });
  const { at, made } = await fetching(media, { env: { LOG_LEVEL: "debug" }, writeLog: (line) => lines.push(line) });
  await made(at("/a.wav?token=secret"));
  expect(lines.join("")).toContain("job failed");
  expect(lines.join("")).not.toContain("secret");
});

test("deletes the address once its recording is fetched", async () => {
  const media = await openMedia({ "/a.wav": audio });
  const { server, at, made } = await fetching(media);
  await made(at("/a.wav?token=secret"));
  using db = openSql(server.dataDir);
  expect(db.prepare("select * from fetches").all()).toEqual([]);
});
