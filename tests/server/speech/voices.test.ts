import { execFileSync } from "node:child_process";
import { cp, mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openEspeak, type SpeechSynthesizer } from "#server/speech/espeak.ts";
import { findVoice } from "#server/speech/voices/files.ts";
import { voiceTrial } from "#server/speech/voices/trial.ts";
import { openVoices, type Voices, type VoicesConfig } from "#server/speech/voices/voices.ts";
import { MemoryBudget } from "#server/threads/budget.ts";
import { secondsPerLetter, tinyVoiceRate, writePiperVoice, writeTinyVoice } from "#tests/fixtures/tiny-voice.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { type InMemoryModels, inMemoryModels } from "#tests/server/models/in-memory.ts";

/** A stand-in for eSpeak that returns the text itself. */
const echo: SpeechSynthesizer = {
  languages: ["de", "en"],
  supports: (language) => /^(en|de)\b/.test(language),
  speak: async ({ text }) => Buffer.from(`eSpeak: ${text}`),
};

let models: InMemoryModels;
let folder: string;
let complaints: string[];
const opened: Voices[] = [];
beforeEach(async () => {
  models = inMemoryModels();
  folder = await temporaryFolder();
  complaints = [];
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((voices) => voices.close()));
});

function open(config: Partial<VoicesConfig> = {}): Voices {
  const log = { warn: (line: string) => void complaints.push(line) };
  const voices = openVoices({ models, espeak: echo, log, threads: 1, ...config });
  opened.push(voices);
  return voices;
}

async function install(id: string, languages: string[], more: object = {}): Promise<string> {
  await writeTinyVoice(join(folder, id));
  models.install({ id, folder: join(folder, id), kind: "tts", languages, ...more });
  return join(folder, id);
}

const english = (text: string, rate = 1) => ({ text, language: "en", rate, person: "ann" });
const secondsOf = (wav: Buffer) => (wav.length - 44) / 2 / tinyVoiceRate;

async function partsOf(stream: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe("speech synthesis with installed voices", () => {
  // PROMISE translation: The server reads a translation aloud where the browser has no voice
  test("speaks a text as a WAV file at the requested speed", async () => {
    await install("tiny", ["en"]);
    const voices = open();
    const wav = await voices.speak(english("Hello world"));
    expect([wav.toString("latin1", 0, 4), wav.readUInt32LE(4), wav.readUInt32LE(24), wav.readUInt32LE(40)]).toEqual([
      "RIFF",
      wav.length - 8,
      tinyVoiceRate,
      wav.length - 44,
    ]);
    expect(secondsOf(wav)).toBeCloseTo(11 * secondsPerLetter, 2);
    expect(secondsOf(await voices.speak(english("Hello world", 2)))).toBeCloseTo(5.5 * secondsPerLetter, 2);
    expect(Math.max(...new Int16Array(wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + 400)))).toBeGreaterThan(9_000);
  });

  test("speaks sentence by sentence, splits long ones, and pauses between sentences", async () => {
    await install("tiny", ["en"]);
    const long = `Many ${"many words ".repeat(25)}and more`;
    const [head, ...parts] = await partsOf(open().stream(english(`One. Two! ${long}`)));
    expect(head?.readUInt32LE(40)).toBeGreaterThan(2 ** 31);
    const seconds = parts.map((part) => part.length / 2 / tinyVoiceRate);
    expect(seconds).toHaveLength(4);
    expect(seconds[0]).toBeCloseTo(4 * secondsPerLetter, 2);
    expect(seconds[1]).toBeCloseTo(4 * secondsPerLetter + 0.15, 2);
    expect(seconds[3]).toBeLessThan(seconds[2] ?? 0);
  });

  test("prefers the chosen voice, then a fast one, then a single-language one, then eSpeak", async () => {
    await install("many", ["de", "en", "es"]);
    await install("slow", ["en"], { speed: { factor: 3, threads: 1, at: "" } });
    const voices = open();
    const chosen = () => voices.options().find(({ language }) => language === "en")?.chosen;
    expect(chosen()).toBe("many");
    await install("own", ["en"]);
    expect(chosen()).toBe("own");
    models.choose({ voices: { en: "slow" } });
    expect(chosen()).toBe("slow");
    models.choose({ voices: { en: "gone" } });
    expect(chosen()).toBe("own");
    models.choose({ voices: { en: "espeak" } });
    expect((await voices.speak(english("Hello"))).toString()).toBe("eSpeak: Hello");
    expect(voices.options()).toEqual([
      {
        language: "de",
        candidates: [
          { id: "many", name: "many" },
          { id: "espeak", name: "eSpeak NG" },
        ],
        chosen: "many",
      },
      {
        language: "en",
        candidates: [
          { id: "own", name: "own" },
          { id: "many", name: "many" },
          { id: "slow", name: "slow" },
          { id: "espeak", name: "eSpeak NG" },
        ],
        chosen: "espeak",
      },
    ]);
    expect(voices.languages).toEqual(["de", "en", "es"]);
    expect([voices.supports("es-ES"), voices.supports("fi")]).toEqual([true, false]);
  });

  test("lists installed voices and eSpeak NG for administrators", async () => {
    await install("tiny", ["en"]);
    expect(open().infos?.()).toEqual([
      { id: "tiny", name: "tiny", offline: true, available: true },
      { id: "espeak", name: "eSpeak NG", offline: true, available: true },
    ]);
    const without = open({ espeak: { ...echo, languages: undefined, supports: () => false } });
    expect(without.infos?.()).toEqual([
      { id: "tiny", name: "tiny", offline: true, available: true },
      { id: "espeak", name: "eSpeak NG", offline: true, available: false, detail: "espeak-ng is not installed." },
    ]);
  });

  test("picks up and drops voices without a restart and holds one while it speaks", async () => {
    const voices = open({ espeak: { ...echo, languages: undefined, supports: () => false } });
    expect([voices.languages, voices.supports("en")]).toEqual([undefined, false]);
    await install("tiny", ["en"]);
    expect(voices.languages).toEqual(["en"]);
    const stream = voices.stream(english("One. Two."))[Symbol.asyncIterator]();
    await stream.next();
    expect(models.held).toEqual(["tiny"]);
    await stream.return?.();
    expect(models.held).toEqual([]);
    const [pid = 0] = voices.pids;
    models.remove("tiny");
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(voices.supports("en")).toBe(false);
  });

  test("falls back to eSpeak when a voice fails and fails where eSpeak has no voice", async () => {
    const broken = await install("broken", ["en", "fi"]);
    await truncate(join(broken, "model.onnx"), 200);
    const voices = open();
    expect((await voices.speak(english("Hello"))).toString()).toBe("eSpeak: Hello");
    expect(complaints).toEqual(["the voice broken failed, eSpeak NG speaks instead"]);
    await expect(voices.speak({ text: "Hei", language: "fi", rate: 1, person: "ann" })).rejects.toMatchObject({
      name: "SpeakingError",
      late: false,
    });
  });

  test("falls back to eSpeak for a script that the voice doesn't know", async () => {
    await install("tiny", ["en"]);
    expect((await open().speak(english("日本"))).toString()).toBe("eSpeak: 日本");
    expect((await open().speak(english("..."))).toString()).toBe("eSpeak: ...");
  });

  test("ends a voice that takes too long and stops when the listener disconnects", async () => {
    await install("tiny", ["fi"]);
    await expect(open({ timeoutMs: 1 }).speak({ text: "Hei", language: "fi", rate: 1, person: "ann" })).rejects.toMatchObject({
      late: true,
    });
    const gone = new AbortController();
    const voices = open();
    const asked = voices.speak({ text: "Hei. ".repeat(300), language: "fi", rate: 1, person: "ann", signal: gone.signal });
    gone.abort(new Error("gone"));
    await expect(asked).rejects.toThrow("gone");
    expect(models.held).toEqual([]);
  });

  test("keeps a voice loaded, unloads it for another voice, and ends it when idle", async () => {
    for (const id of ["a", "b"]) await install(id, [id === "a" ? "en" : "de"]);
    // Room for one of the two voices.
    const voices = open({ budget: new MemoryBudget(150 * 1024 ** 2) });
    await voices.speak(english("One"));
    const [first = 0] = voices.pids;
    await voices.speak(english("One"));
    expect(voices.pids).toEqual([first]);
    await voices.speak({ text: "Eins", language: "de", rate: 1, person: "ann" });
    expect(voices.pids).toHaveLength(1);
    await expect.poll(() => isRunning(first)).toBe(false);
    const brief = open({ idleMs: 1 });
    await brief.speak(english("One"));
    await expect.poll(() => brief.pids).toEqual([]);
  });
});

describe("findVoice", () => {
  test("recognizes a voice's kind and its missing files", async () => {
    const kokoro = join(folder, "kokoro-multi-lang-v1_0");
    await mkdir(kokoro);
    for (const file of ["model.onnx", "voices.bin", "tokens.txt", "lexicon-us-en.txt", "lexicon-gb-en.txt", "lexicon-zh.txt"])
      await writeFile(join(kokoro, file), "");
    expect(await findVoice(kokoro, "es", 2)).toBe("it has no espeak-ng-data");
    await mkdir(join(kokoro, "espeak-ng-data"));
    const lexicon = `${join(kokoro, "lexicon-us-en.txt")},${join(kokoro, "lexicon-zh.txt")}`;
    expect(await findVoice(kokoro, "en", 2)).toMatchObject({
      speaker: 3,
      config: { model: { numThreads: 2, kokoro: { lexicon } } },
    });
    expect(await findVoice(kokoro, "es", 2)).toMatchObject({ speaker: 28, config: { model: { kokoro: { lang: "es" } } } });
    expect(await findVoice(join(folder, "absent"), "en", 1)).toBe("it has no .onnx file");
    await cp(join(kokoro, "model.onnx"), join(folder, "only", "model.onnx"), { recursive: true });
    expect(await findVoice(join(folder, "only"), "en", 1)).toBe("it has no tokens.txt");
  });

  test("speaks with a Piper voice that uses eSpeak's data", async () => {
    const [, data = ""] = /Data at: (.+)/.exec(execFileSync("espeak-ng", ["--version"], { encoding: "utf8" })) ?? [];
    const piper = join(folder, "vits-piper-en_US-tiny");
    await writePiperVoice(piper, "en_US-tiny");
    await symlink(data.trim(), join(piper, "espeak-ng-data"));
    models.install({ id: "vits-piper-en_US-tiny", folder: piper, kind: "tts", languages: ["en"] });
    const wav = await open().speak(english("Through the thorough thought"));
    // There are fewer sounds than letters.
    expect(secondsOf(wav)).toBeGreaterThan(0.5);
    expect(complaints).toEqual([]);
  });
});

describe("the trial of a voice", () => {
  const trial = voiceTrial({ now: () => Date.UTC(2026, 0, 2) });
  const attempt = (path: string, kind: "tts" | "whisper" = "tts") =>
    trial({ folder: path, kind, purpose: "speaking", languages: ["en"] }, new AbortController().signal);

  test("measures the speed of a voice", async () => {
    await writeTinyVoice(join(folder, "tiny"));
    const { speed } = await attempt(join(folder, "tiny"));
    expect(speed).toMatchObject({ factor: expect.any(Number), at: "2026-01-02T00:00:00.000Z" });
    expect(speed?.factor).toBeLessThan(1);
  });

  test("refuses a broken voice and a model of another kind", async () => {
    await writeTinyVoice(join(folder, "broken"));
    await writeFile(join(folder, "broken", "model.onnx"), "no model");
    await expect(attempt(join(folder, "broken"))).rejects.toMatchObject({ name: "ModelTrialError", failure: "unusable" });
    await expect(attempt(join(folder, "absent"))).rejects.toMatchObject({ failure: "wrongKind" });
    await expect(attempt(join(folder, "broken"), "whisper")).rejects.toMatchObject({ failure: "wrongKind" });
  });
});

test("speaks with the real eSpeak when no voice is installed", async () => {
  const voices = open({ espeak: await openEspeak() });
  const wav = await voices.speak({ text: "Hei maailma", language: "fi", rate: 1, person: "ann" });
  expect([wav.toString("latin1", 0, 4), wav.readUInt32LE(40)]).toEqual(["RIFF", wav.length - 44]);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
