// From the end of a spoken phrase to its final text on the page, and from there to its translation: the offline engines, over the
// real WebSocket, at the pace of a microphone; alone, and beside two files that the same machine hears. Run: npm run bench -- live
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import { frameSamples, LoginAnswer, Transcription, TranslationAnswer } from "#contract/index.ts";
import { readConfig } from "#server/config.ts";
import { pcmRate, type SpeechEngine } from "#server/speech/index.ts";
import { openPocketSphinx } from "#server/speech/pocketsphinx/engine.ts";
import { levelsOf, vadFrame } from "#server/speech/vad.ts";
import { wavHeader } from "#server/speech/wav.ts";
import { startServer } from "#server/start.ts";
import { harborText, talkSentences } from "#tests/fixtures/audio/texts.ts";
import { Dictation, textOf } from "#tests/server/dictation/dictation.ts";
import { type Figure, milliseconds, quantile, report } from "./figures.ts";
import { align, wordsOf } from "./spoken.ts";

const base = "/api/v1/audio-transcriptions";

/**
 * Issue 16: the 95th percentile, in times of what does nothing else: a decoder that is given the phrase when it has ended, and an Apertium
 * with its dictionaries loaded that is given its text.
 */
const ratioLimit = 1.2;
/** Issue 4: milliseconds, at the 95th percentile, of final texts while files are heard. */
const besideLimit = 500;

/** Longer than both dictations take, so that the files are heard from their beginning to their end (seconds). */
const fileSeconds = 30 * 60;

/** A pause that ends a phrase, in seconds: shorter ones may be within a phrase. */
const phrasePause = 0.45;
/** Softer audio is not speech (dBFS); the fixtures' pauses are digital silence. */
const silence = -50;
/** Milliseconds in which Apertium's programs have loaded their dictionaries. */
const warmingMs = 1_500;

const fixtures = [
  { name: "talk", text: talkSentences.join(" ") },
  { name: "harbor", text: harborText },
] as const;

interface Heard {
  /** Milliseconds from the end of each phrase to its final text, and from there to its translation. */
  finals: number[];
  translations: number[];
  texts: string[];
  errors: number;
  words: number;
}

/** The samples of a fixture, and a second of the room behind them. */
async function soundOf(name: string): Promise<Buffer> {
  const wav = await readFile(new URL(`../fixtures/audio/${name}.wav`, import.meta.url));
  return Buffer.concat([wav.subarray(44), Buffer.alloc(1.2 * pcmRate * 2)]);
}

/** Where somebody speaks between two long pauses, in seconds. */
interface Phrase {
  start: number;
  end: number;
}

function phrasesOf(pcm: Buffer): Phrase[] {
  const phrases: Phrase[] = [];
  let current: Phrase | undefined;
  for (const [at, level] of levelsOf(pcm).entries()) {
    const time = (at * vadFrame) / pcmRate;
    if (level > silence) current = { start: current?.start ?? time, end: time + vadFrame / pcmRate };
    else if (current !== undefined && time - current.end >= phrasePause) {
      phrases.push(current);
      current = undefined;
    }
  }
  return phrases;
}

async function listen(apiUrl: string, token: string, name: string, text: string): Promise<Heard> {
  const pcm = await soundOf(name);
  const live = await Dictation.start(apiUrl, token);
  const arrivals: { end: number; at: number; text: string }[] = [];
  const translations: number[] = [];
  const reading = (async () => {
    for (;;) {
      const { segment } = await live.next("final");
      arrivals.push({ end: segment.end, at: performance.now(), text: segment.text });
      translations.push(await translate(apiUrl, token, segment.text));
    }
  })().catch(() => undefined);
  const begin = performance.now();
  const bytes = frameSamples * 2;
  let frames = 0;
  for (let at = 0; at < pcm.length; at += bytes) {
    // A frame leaves when its last sample has been recorded.
    await wait(Math.max(0, begin + ((frames + 1) * frameSamples * 1000) / pcmRate - performance.now()));
    const number = Buffer.alloc(4);
    number.writeUInt32LE(frames);
    live.sendBytes(Buffer.concat([number, pcm.subarray(at, at + bytes)]));
    frames += 1;
  }
  live.say({ type: "end", frames });
  const { segments } = await live.next("done");
  await reading;
  const finals = phrasesOf(pcm).map(({ end }) => {
    const final = arrivals.find((arrival) => arrival.end > end - 0.25);
    return final === undefined ? Number.POSITIVE_INFINITY : final.at - begin - end * 1000;
  });
  const said = wordsOf(text);
  return {
    finals,
    translations,
    texts: arrivals.map(({ text: heard }) => heard),
    errors: align(wordsOf(textOf(segments)), said).errors,
    words: said.length,
  };
}

async function translate(apiUrl: string, token: string, text: string): Promise<number> {
  const begin = performance.now();
  const answer = await call(`${apiUrl}/api/v1/translations`, { text, source: "en", target: "es" }, token);
  v.parse(TranslationAnswer, await answer.json());
  return performance.now() - begin;
}

function call(url: string, body: object, token = ""): Promise<Response> {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Two people's files, which keep every processor busy while somebody dictates. @returns whether both are still being heard */
async function sendFiles(apiUrl: string): Promise<() => Promise<boolean>> {
  const talk = (await soundOf("talk")).subarray(0, -1.2 * pcmRate * 2);
  const samples = Math.floor((fileSeconds * pcmRate * 2) / talk.length) * (talk.length / 2);
  const wav = Buffer.concat([wavHeader(samples), ...Array.from({ length: (samples * 2) / talk.length }, () => talk)]);
  const isUnderWay: (() => Promise<boolean>)[] = [];
  for (const email of ["first@example.org", "second@example.org"]) {
    const token = await register(apiUrl, email);
    const headers = { Authorization: `Bearer ${token}` };
    const form = new FormData();
    for (const [name, value] of Object.entries({ clientId: crypto.randomUUID(), sourceLanguage: "en" })) form.append(name, value);
    form.append("file", new Blob([wav], { type: "audio/wav" }), "talk.wav");
    const sent = await fetch(`${apiUrl}${base}/upload-and-transcribe`, { method: "POST", headers, body: form });
    const { id } = v.parse(Transcription, await sent.json());
    const stage = async () =>
      v.parse(Transcription, await (await fetch(`${apiUrl}${base}/transcription/${id}`, { headers })).json()).progress?.stage;
    while ((await stage()) !== "recognizing") await wait(100);
    isUnderWay.push(async () => (await stage()) === "recognizing");
  }
  return async () => (await Promise.all(isUnderWay.map((one) => one()))).every(Boolean);
}

async function register(apiUrl: string, email: string): Promise<string> {
  const account = { email, password: "correct horse battery" };
  return v.parse(LoginAnswer, await (await call(`${apiUrl}/auth/register`, account)).json()).accessToken;
}

/** Milliseconds that a decoder takes for each phrase of a fixture, which it is given whole: what a final text takes where nothing waits. */
async function decodePhrases(engine: SpeechEngine, name: string): Promise<number[]> {
  const pcm = await soundOf(name);
  const byteAt = (seconds: number) => Math.round(Math.max(0, seconds) * pcmRate) * 2;
  const times: number[] = [];
  for (const { start, end } of phrasesOf(pcm)) {
    // With a little of the pauses around it, in which it begins and ends.
    const phrase = pcm.subarray(byteAt(start - phrasePause / 2), byteAt(end + phrasePause / 2));
    const begin = performance.now();
    await engine.transcribe(phrase, { language: "en" });
    times.push(performance.now() - begin);
  }
  return times;
}

/** Milliseconds that Apertium takes for each text, its dictionaries loaded. */
async function translateBarely(texts: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const text of texts) {
    // `cat`: Apertium opens /dev/stdin, which fails for the socket that Node gives its children.
    const pipeline = spawn("sh", ["-c", "cat | apertium -u eng-spa"], { stdio: ["pipe", "pipe", "ignore"] });
    const ended = once(pipeline, "close");
    pipeline.stdout.resume();
    await wait(warmingMs);
    const begin = performance.now();
    pipeline.stdin.end(`${text}\n`);
    await ended;
    times.push(performance.now() - begin);
  }
  return times;
}

const both = (times: readonly number[]) => `${milliseconds(quantile(times, 0.95))}, median ${milliseconds(quantile(times, 0.5))}`;

function figuresOf(what: string, values: readonly number[], floor: readonly number[]): Figure[] {
  const ratio = quantile(values, 0.95) / quantile(floor, 0.95);
  return [
    { name: `${what}, 95 %`, value: `${ratio.toFixed(2)} times`, limit: `${ratioLimit} times`, ok: ratio <= ratioLimit },
    { name: "  of Parlance", value: both(values) },
    { name: "  of what does nothing else", value: both(floor) },
  ];
}

const folder = await mkdtemp(join(tmpdir(), "parlance-bench-"));
try {
  const config = readConfig({ PORT: "0", WEB_PORT: "0", PARLANCE_DATA: folder, LOG_LEVEL: "error" });
  const server = await startServer(config, { print: () => {} });
  const accessToken = await register(server.apiUrl, "bench@example.org");
  const engine = await openPocketSphinx({ parallel: 1 });
  // The first time is for loading the model.
  await decodePhrases(engine, "harbor");
  const heard: Heard[] = [];
  const floor: { finals: number[]; translations: number[] } = { finals: [], translations: [] };
  for (const { name, text } of fixtures) {
    const one = await listen(server.apiUrl, accessToken, name, text);
    heard.push(one);
    // In turns: what the machine does meanwhile meets both.
    floor.finals.push(...(await decodePhrases(engine, name)));
    floor.translations.push(...(await translateBarely(one.texts)));
  }
  await engine.close();
  const finals = heard.flatMap((one) => one.finals);
  const areUnderWay = await sendFiles(server.apiUrl);
  const beside: Heard[] = [];
  for (const { name, text } of fixtures) beside.push(await listen(server.apiUrl, accessToken, name, text));
  const finalsBeside = beside.flatMap((one) => one.finals);
  const isMeasured = await areUnderWay();
  const errors = heard.reduce((sum, one) => sum + one.errors, 0);
  const words = heard.reduce((sum, one) => sum + one.words, 0);
  report([
    { name: "live speech", value: `${finals.length} phrases, ${words} words, on ${availableParallelism()} cores` },
    ...figuresOf("final text after a phrase, against a decoder that is given it", finals, floor.finals),
    ...figuresOf(
      "translation after that, against Apertium alone",
      heard.flatMap((one) => one.translations),
      floor.translations,
    ),
    {
      name: "final text after a phrase, beside two files, 95 %",
      value: both(finalsBeside),
      limit: milliseconds(besideLimit),
      ok: quantile(finalsBeside, 0.95) <= besideLimit,
    },
    { name: "both files still heard at the end", value: isMeasured ? "yes" : "no", limit: "yes", ok: isMeasured },
    { name: "words misheard live", value: String(errors), limit: "0", ok: errors === 0 },
  ]);
  await server.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
