import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freeMinutes, type Peaks, readPeaks, StorageUse, Transcription, Usage } from "#contract/index.ts";
import { decodeToPcm } from "#server/speech/index.ts";
import { until } from "#tests/fixtures/until.ts";
import {
  base,
  eventually,
  getTranscription,
  type Person,
  read,
  refusal,
  settled,
  signInAgain,
  signUp,
  startTestServer,
  temporaryFolder,
  upload,
} from "#tests/server/harness.ts";
import { buzzWav, scriptedEngines, segment } from "#tests/server/jobs/scripted.ts";
import { shareWith } from "#tests/server/people/shared.ts";
import { share, visit } from "#tests/server/sharing/links.ts";
import { useUp } from "#tests/server/subscription/used-up.ts";
import { change } from "#tests/server/transcription/saved.ts";
import { clip, h264, made, pictured, streamsOf } from "#tests/server/video/videos.ts";
import { diarized, scriptedDiarizer, twoVoices } from "./scripted-diarizer.ts";

const path = (id: string) => `/audio/remove-transcription/${id}`;
const refused = async (person: Person, id: string, update: object) => refusal(await person.call("PUT", path(id), update));

/** Lengths in s of the two sound tracks, by which the tests tell them apart. */
const first = 4;
const second = 6;

/** A file with two sound tracks (case M3), the second of which is the default. */
async function twoTracks(name = "two.mkv", more: readonly string[] = []): Promise<Buffer<ArrayBuffer>> {
  const folder = await temporaryFolder();
  const inputs = await Promise.all(
    [first, second].map(async (seconds) => {
      const wav = join(folder, `${seconds}.wav`);
      await writeFile(wav, buzzWav(seconds));
      return ["-i", wav];
    }),
  );
  const languages = ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=ger", "-metadata:s:a:1", "title=Dubbed"];
  const defaults = ["-disposition:a:0", "0", "-disposition:a:1", "default"];
  return made(name, [...inputs.flat(), "-map", "0:a", "-map", "1:a", ...more, "-c:a", "aac", ...languages, ...defaults]);
}

const tracks = [
  { language: "eng", title: null, isDefault: false },
  { language: "ger", title: "Dubbed", isDefault: true },
];

async function begin(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer({ decode: decodeToPcm, ...options });
  return { server, person: await signUp(server) };
}

async function sent(person: Person, bytes: Buffer<ArrayBuffer>, fields: Record<string, string> = {}, name = "two.mkv") {
  const { id } = await read(await upload(person, bytes, { name, type: "", fields }), 202, Transcription);
  return settled(person, id);
}

const minutesOf = async (person: Person) =>
  (await read(await person.call("GET", "/api/v1/usage"), 200, Usage)).usedTranslationMinutes;

/** Content type, length and number of tracks of the audio that the server plays. */
async function played(person: Person, id: string, query = "") {
  const answer = await person.call("GET", `${base}/transcription/${id}/audio${query}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const file = join(await temporaryFolder(), "played");
  await writeFile(file, bytes);
  let samples = 0;
  const {
    durationSeconds,
    hasHoles,
    tracks: found,
  } = await decodeToPcm(file, {
    onPcm: (chunk) => {
      samples += chunk.length / 2;
    },
  });
  expect(samples).toBeGreaterThan(0);
  const type = answer.headers.get("content-type");
  return { type, seconds: Math.round(durationSeconds), tracks: found.length, ...(hasHoles && { hasHoles }) };
}

async function drawnSeconds(person: Person, id: string): Promise<number> {
  const answer = await eventually(
    () => person.call("GET", `${base}/transcription/${id}/peaks`),
    ({ status }) => status === 200,
  );
  const peaks: Peaks | undefined = readPeaks(Buffer.from(await answer.arrayBuffer()));
  return peaks === undefined ? 0 : Math.round(((peaks.levels.length / 2) * peaks.pairMs) / 1000);
}

describe("recording with several sound tracks", () => {
  // PROMISE uploads: Of several sound tracks, the default or the chosen one is recognized; another one can be chosen later
  test("recognizes, plays and draws the default sound track and lists all tracks", async () => {
    const { person } = await begin();
    const made = await sent(person, await twoTracks());
    expect(made).toMatchObject({ text: "piece 6", tracks, track: 2, durationSeconds: expect.closeTo(second, 0) });
    expect(await played(person, made.id)).toEqual({ type: "audio/mp4", seconds: second, tracks: 1 });
    expect(await played(person, made.id, "?download")).toMatchObject({ tracks: 2 });
    expect(await drawnSeconds(person, made.id)).toBe(second);
  });

  test("plays the right sound track when its copy is lost, by making the copy again", async () => {
    const { server, person } = await begin();
    const { id } = await sent(person, await twoTracks());
    const copy = join(server.dataDir, "audio", id, "sound-2");
    await rm(copy);
    const both = await Promise.all([played(person, id), played(person, id)]);
    expect(both).toEqual([1, 2].map(() => ({ type: "audio/mp4", seconds: second, tracks: 1 })));
    expect((await stat(copy)).size).toBeGreaterThan(0);
  });

  test("recognizes the sound track chosen at the upload, or the default one when it does not exist", async () => {
    const { person } = await begin();
    const bytes = await twoTracks();
    expect(await sent(person, bytes, { track: "1" })).toMatchObject({ text: "piece 4", tracks, track: 1 });
    expect(await sent(person, bytes, { track: "3" })).toMatchObject({ text: "piece 6", track: 2 });
    for (const track of ["0", "1.5", "two"]) {
      expect(await refusal(await upload(person, bytes, { fields: { track } }))).toBe("400 badRequest");
    }
  });

  test("does not list tracks of a recording with a single one", async () => {
    const { person } = await begin();
    const made = await sent(person, buzzWav(2), { track: "2" }, "one.wav");
    expect(made).toMatchObject({ status: "completed", text: "piece 2" });
    expect([made.tracks, made.track]).toEqual([undefined, undefined]);
    expect(await refused(person, made.id, { track: 2 })).toBe("400 badRequest");
    expect(await refused(person, made.id, { track: 1 })).toBe("409 conflict");
  });

  test("plays the uploaded file until it is decoded, whatever sound track was chosen", async () => {
    const { promise, resolve: go } = Promise.withResolvers<void>();
    const decode: typeof decodeToPcm = async (source, options) => {
      await promise;
      return decodeToPcm(source, options);
    };
    const { person } = await begin({ decode });
    const fields = { track: "2" };
    const { id } = await read(await upload(person, buzzWav(2), { name: "one.wav", type: "", fields }), 202, Transcription);
    expect(await played(person, id)).toEqual({ type: "audio/wav", seconds: 2, tracks: 1 });
    go();
    await settled(person, id);
  });

  test("retries a failed recording with the chosen sound track", async () => {
    const { server, person } = await begin({
      engines: scriptedEngines({ transcribe: () => Promise.reject(new Error("broken")) }),
      workerTimes: { pollMs: 50, retryMs: [10] },
    });
    const failed = await sent(person, await twoTracks(), { track: "1" });
    expect(failed).toMatchObject({ status: "failed", track: 1 });
    await server.close();
    const again = await startTestServer({ decode: decodeToPcm, dataDir: server.dataDir });
    const back = await signInAgain(again, person);
    await change(back, failed.id, { retry: true });
    expect(await settled(back, failed.id)).toMatchObject({ text: "piece 4", track: 1 });
  });
});

describe("recording with missing sound", () => {
  const isMissing = "aselect='not(between(t,1,3))'";

  // Browsers skip missing sound and are early from there on.
  test("plays silence where sound is missing, also for links, and downloads the original file", async () => {
    const { server, person } = await begin();
    const wav = join(await temporaryFolder(), "whole.wav");
    await writeFile(wav, buzzWav(second));
    const bytes = await made("hole.webm", ["-i", wav, "-af", isMissing, "-c:a", "libopus"]);
    const { id, tracks } = await sent(person, bytes, {}, "hole.webm");
    expect(tracks).toBeUndefined();
    expect(await played(person, id)).toEqual({ type: "audio/mp4", seconds: second, tracks: 1 });
    expect(await played(person, id, "?download")).toEqual({ type: "audio/webm", seconds: second, tracks: 1, hasHoles: true });
    const { size } = await stat(join(server.dataDir, "audio", id, "sound-1"));
    const part = await person.call("GET", `${base}/transcription/${id}/audio`, undefined, { Range: "bytes=4-7" });
    expect([part.status, await part.text()]).toEqual([206, "ftyp"]);
    const visitor = visit(server, await share(person, id, { audio: true }));
    await visitor.shown();
    const shared = await visitor.get("audio");
    expect([shared.headers.get("content-type"), (await shared.blob()).size]).toEqual(["audio/mp4", size]);
    const { usedBytes } = await read(await person.call("GET", "/api/v1/storage"), 200, StorageUse);
    expect(usedBytes).toBeGreaterThanOrEqual(bytes.length + size);
  });

  test("notices missing sound after a restart during the recognition of another track", async () => {
    let isHeld = false;
    const engines = scriptedEngines({
      transcribe: async (pcm, { signal }) => {
        if (isHeld) await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
        return [segment(`piece ${Math.round(pcm.length / 32_000)}`, 0, pcm.length / 32_000)];
      },
    });
    const { server, person } = await begin({ engines });
    const defaults = ["-disposition:a:1", "0", "-filter:a:0", isMissing];
    const { id } = await sent(person, await twoTracks("two.mkv", defaults), { track: "2" });
    isHeld = true;
    await change(person, id, { track: 1 });
    const isUnderWay = ({ progress }: Transcription) => progress?.stage === "recognizing";
    await eventually(() => getTranscription(person, id), isUnderWay);
    await server.close();
    const again = await startTestServer({ decode: decodeToPcm, dataDir: server.dataDir });
    const back = await signInAgain(again, person);
    expect(await diarized(back, id)).toMatchObject({ track: 1, error: null });
    expect(await played(back, id)).toEqual({ type: "audio/mp4", seconds: first, tracks: 1 });
  });
});

describe("change of the sound track", () => {
  // PROMISE uploads: Of several sound tracks, the default or the chosen one is recognized; another one can be chosen later
  test("changing the sound track replaces text, audio and waveform and counts its minutes", async () => {
    const { person } = await begin();
    const { id } = await sent(person, await twoTracks());
    const before = await minutesOf(person);
    const corrected = await change(person, id, { edits: [{ index: 0, text: "piece six" }] });
    expect(corrected.text).toBe("piece six");
    const asked = await change(person, id, { track: 1 });
    expect(asked).toMatchObject({ status: "completed", text: "piece six", track: 2, progress: { stage: "waiting" } });
    const made = await diarized(person, id);
    expect(made).toMatchObject({ text: "piece 4", tracks, track: 1, error: null, durationSeconds: expect.closeTo(first, 0) });
    expect((await minutesOf(person)) - before).toBeCloseTo(first / 60, 2);
    expect(await played(person, id)).toEqual({ type: "audio/mp4", seconds: first, tracks: 1 });
    expect(await drawnSeconds(person, id)).toBe(first);
    await change(person, id, { track: 2 });
    expect(await diarized(person, id)).toMatchObject({ text: "piece 6", track: 2 });
    expect((await minutesOf(person)) - before).toBeCloseTo((first + second) / 60, 2);
    expect(await played(person, id)).toMatchObject({ seconds: second });
  });

  test("the event stream reports the changed sound track", async () => {
    const { person } = await begin();
    const { id } = await sent(person, await twoTracks());
    await change(person, id, { track: 1 });
    await diarized(person, id);
    const { body } = await person.call("GET", `${base}/transcription/${id}/events`);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let said = "";
    while (!said.includes("event: transcription")) said += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    expect(said).toContain('"track":1');
  });

  test("recognizes the new sound track in the file's language for it or the requested one", async () => {
    const languages: string[] = [];
    const engines = scriptedEngines({
      languages: ["en", "de-DE", "fr-FR"],
      transcribe: async (_, { language }) => {
        languages.push(language);
        return [segment("words", 0, 3)];
      },
    });
    const { person } = await begin({ engines });
    const { id } = await sent(person, await twoTracks(), { track: "1" });
    expect(await refused(person, id, { track: 2, sourceLanguage: "da" })).toBe("422 languageUnavailable");
    await change(person, id, { track: 2 });
    expect(await diarized(person, id)).toMatchObject({ sourceLanguage: "de-DE" });
    await change(person, id, { track: 1, sourceLanguage: "fr-FR" });
    expect(await diarized(person, id)).toMatchObject({ sourceLanguage: "fr-FR" });
    expect(languages).toEqual(["en", "de-DE", "fr-FR"]);
  });

  test("a failed change of the sound track keeps everything and costs no minutes", async () => {
    let isBroken = false;
    const engines = scriptedEngines({
      transcribe: async (pcm) => {
        if (isBroken) throw new Error("broken");
        return [segment(`piece ${Math.round(pcm.length / 32_000)}`, 0, pcm.length / 32_000)];
      },
    });
    const { server, person } = await begin({ engines, workerTimes: { pollMs: 50, beatMs: 30, retryMs: [10] } });
    const { id } = await sent(person, await twoTracks());
    const before = await minutesOf(person);
    isBroken = true;
    await change(person, id, { track: 1 });
    const kept = { text: "piece 6", track: 2, error: { code: "recognitionFailed" }, durationSeconds: expect.closeTo(second, 0) };
    expect(await diarized(person, id)).toMatchObject(kept);
    expect(await minutesOf(person)).toBe(before);
    expect(await played(person, id)).toMatchObject({ seconds: second });
    expect(await drawnSeconds(person, id)).toBe(second);
    expect(await readdir(join(server.dataDir, "audio", id))).not.toContain("sound-1");
  });

  test("a correction during the change of the sound track ends the change and costs no minutes", async () => {
    const { promise, resolve: go } = Promise.withResolvers<void>();
    let calls = 0;
    const engines = scriptedEngines({
      transcribe: async () => {
        calls += 1;
        if (calls === 2) await promise;
        return [segment("how are you", 0, 3)];
      },
    });
    const { person } = await begin({ engines });
    const { id } = await sent(person, await twoTracks());
    const before = await minutesOf(person);
    await change(person, id, { track: 1 });
    await until(() => expect(calls).toBe(2));
    expect(await refused(person, id, { track: 2 })).toBe("409 conflict");
    expect(await change(person, id, { track: 1, title: "Twice" })).toMatchObject({ title: "Twice", track: 2 });
    const kept = { text: "who are you", track: 2, error: { code: "correctedMeanwhile" } };
    expect(await change(person, id, { edits: [{ index: 0, text: "who are you" }] })).toMatchObject(kept);
    go();
    expect(await minutesOf(person)).toBe(before);
    await change(person, id, { track: 1 });
    expect(await diarized(person, id)).toMatchObject({ text: "how are you", track: 1, error: null });
  });

  test("recognizes the new sound track although a check of the words has decoded the old one", async () => {
    const { promise, resolve: go } = Promise.withResolvers<void>();
    let isHeld = false;
    const decode: typeof decodeToPcm = async (source, options) => {
      const decoded = await decodeToPcm(source, options);
      if (isHeld && options.track === 2) await promise;
      return decoded;
    };
    let checks = 0;
    const engines = scriptedEngines({
      confidence: false,
      transcribe: async (pcm, { cut }) => {
        if (cut === "elsewhere") checks += 1;
        if (cut === "elsewhere" && checks === 1) await promise;
        return [segment(`piece ${Math.round(pcm.length / 32_000)}`, 0, pcm.length / 32_000)];
      },
    });
    const { person } = await begin({ engines, decode });
    const { id } = await sent(person, await twoTracks());
    await until(() => expect(checks).toBe(1));
    isHeld = true;
    await change(person, id, { track: 1 });
    go();
    expect(await diarized(person, id)).toMatchObject({ text: "piece 4", track: 1, durationSeconds: expect.closeTo(first, 0) });
  });

  test("finds out the new sound track's speakers when the old one's were requested", async () => {
    const { person } = await begin({ diarizer: scriptedDiarizer(twoVoices(2)) });
    const { id } = await sent(person, await twoTracks(), { speakers: "1" });
    await change(person, id, { track: 1 });
    const { segments } = await diarized(person, id);
    expect(segments.map(({ speaker }) => speaker)).toEqual(["1", "2"]);
  });

  test("drops the translation when the new sound track is in the target language", async () => {
    const { person } = await begin({ engines: scriptedEngines({ languages: ["en", "es-ES"] }) });
    const { id } = await sent(person, await twoTracks(), { targetLanguage: "es" });
    expect(await getTranscription(person, id)).toMatchObject({ translatedText: "es:piece 6" });
    await change(person, id, { track: 1, sourceLanguage: "es-ES" });
    const made = { text: "piece 4", sourceLanguage: "es-ES", targetLanguage: null, translatedText: "", error: null };
    expect(await diarized(person, id)).toMatchObject(made);
  });

  test("refuses an impossible change of the sound track and one by other people", async () => {
    const { server, person } = await begin();
    const other = await signUp(server);
    const { id } = await sent(person, await twoTracks());
    expect(await refused(other, id, { track: 1 })).toBe("404 notFound");
    expect(await refused(person, id, { track: 2 })).toBe("409 conflict");
    for (const track of [3, 0, 1.5]) expect(await refused(person, id, { track })).toBe("400 badRequest");
    await shareWith(person, other, id, "correct");
    expect(await getTranscription(other, id)).toMatchObject({ tracks, track: 2 });
    expect(await refused(other, id, { track: 1 })).toBe("403 forbidden");
  });

  test("refuses to change the sound track when the free minutes are used up", async () => {
    const { server, person } = await begin();
    const { id } = await sent(person, await twoTracks());
    await useUp(server.dataDir, person, freeMinutes);
    expect(await refused(person, id, { track: 1 })).toBe("402 limitReached");
  });

  test("changing the sound track changes the audio of the video's picture", async () => {
    const { person } = await begin({ videoTimes: { pollMs: 60, beatMs: 30 } });
    const folder = await temporaryFolder();
    for (const seconds of [first, second]) await writeFile(join(folder, `${seconds}.wav`), buzzWav(seconds));
    const [picture] = [clip(second).slice(0, 4)];
    const sounds = [first, second].flatMap((seconds) => ["-i", join(folder, `${seconds}.wav`)]);
    const maps = ["-map", "0:v", "-map", "1:a", "-map", "2:a", ...h264, "-c:a", "aac"];
    const bytes = await made("two.mp4", [
      ...(picture ?? []),
      ...sounds,
      ...maps,
      "-disposition:a:1",
      "default",
      "-disposition:a:0",
      "0",
    ]);
    const { id, track } = await sent(person, bytes, {}, "two.mp4");
    expect(track).toBe(2);
    const shown = async () => {
      expect(await pictured(person, id)).toMatchObject({ state: "ready" });
      const answer = await person.call("GET", `${base}/transcription/${id}/audio/picture`);
      const file = Buffer.from(await answer.arrayBuffer());
      const at = join(folder, "picture.mp4");
      await writeFile(at, file);
      const { durationSeconds } = await decodeToPcm(at, { onPcm: () => {} });
      return { streams: (await streamsOf(file)).length, seconds: Math.round(durationSeconds) };
    };
    expect(await shown()).toEqual({ streams: 2, seconds: second });
    await change(person, id, { track: 1 });
    await diarized(person, id);
    expect(await shown()).toEqual({ streams: 2, seconds: first });
    const { usedBytes } = await read(await person.call("GET", "/api/v1/storage"), 200, StorageUse);
    expect(usedBytes).toBeGreaterThan(bytes.length);
  });
});
