// Measures the delay of words, and of their translation, on the page during dictation: over the real WebSocket, at the
// pace of a microphone. Measured are one person alone, one person beside two files that the same machine recognizes,
// and eight people at once. Run: npm run bench -- live
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Segment, Transcription, TranslationAnswer } from "#contract/index.ts";
import { wavHeader } from "#server/speech/index.ts";
import { trialPcm, trialText } from "#server/speech/trial.ts";
import { pcmRate } from "#speech/bytes.ts";
import { levelsOf, vadFrame } from "#speech/vad.ts";
import { wordErrors } from "#speech/word-errors.ts";
import { harborText, talkSentences } from "#tests/fixtures/audio/texts.ts";
import { getTranscription, type Person, read, signUp, upload } from "#tests/server/harness.ts";
import { type Figure, milliseconds, quantile, report } from "./figures.ts";
import { end, launchProduct } from "./history/serve.ts";
import { type Dictated, dictate } from "./live/dictated.ts";
import { subscribe } from "./server/subscribe.ts";

/** Maximum ms until the first word of an utterance is on the page, when one person speaks... */
const firstLimit = 800;
/** ... and until any word is on the page, when `crowd` people speak. */
const wordLimit = 2_000;
const crowd = 8;
/** The limit for a translation at the 95th percentile, relative to an idle Apertium with loaded dictionaries. */
const translationLimit = 1.2;
/** Maximum share of wrong words of the real voice, in percent. */
const errorLimit = 12;

/** Seconds of a file: longer than a dictation takes, so that the files are recognized during all of it. */
const fileSeconds = 60 * 60;
/** The length of a pause that ends a phrase, in seconds. Shorter pauses may be inside a phrase. */
const phrasePause = 0.65;
/** Softer audio is not speech (dBFS). */
const silence = -50;
const room = Buffer.alloc(1.2 * pcmRate * 2);
/** The ms after which Apertium's programs have loaded their dictionaries. */
const warmingMs = 1_500;

/** A real voice and two synthetic ones. */
const sounds = [
  { pcm: await trialPcm(), text: trialText, phraseEnds: [] },
  await fixture("talk", talkSentences.join(" ")),
  await fixture("harbor", harborText),
];

async function fixture(name: string, text: string) {
  const pcm = (await readFile(new URL(`../fixtures/audio/${name}.wav`, import.meta.url))).subarray(wavHeader(0).length);
  return { pcm, text, phraseEnds: phraseEndsOf(Buffer.concat([pcm, room])) };
}

/** The ends of phrases in seconds: the fixtures' pauses are digital silence. */
function phraseEndsOf(pcm: Buffer): number[] {
  const ends: number[] = [];
  let last: number | undefined;
  for (const [at, level] of levelsOf(pcm).entries()) {
    const time = (at * vadFrame) / pcmRate;
    if (level > silence) last = time + vadFrame / pcmRate;
    else if (last !== undefined && time - last >= phrasePause) {
      ends.push(last);
      last = undefined;
    }
  }
  return ends;
}

/**
 * All recordings, each followed by a second of room noise.
 * @param first the index of the first recording
 */
function speech(first: number): { pcm: Buffer; phraseEnds: number[] } {
  const parts: Buffer[] = [];
  const phraseEnds: number[] = [];
  let begin = 0;
  for (const sound of [...sounds.slice(first), ...sounds.slice(0, first)]) {
    const offset = begin;
    phraseEnds.push(...sound.phraseEnds.map((end) => offset + end));
    parts.push(sound.pcm, room);
    begin += (sound.pcm.length + room.length) / (pcmRate * 2);
  }
  return { pcm: Buffer.concat(parts), phraseEnds };
}

/**
 * Uploads two people's files, which keep every processor busy during a dictation.
 * @returns whether both are still being recognized
 */
async function sendFiles(server: { apiUrl: string }, dataDir: string): Promise<() => Promise<boolean>> {
  const talk = sounds[1]?.pcm ?? Buffer.alloc(0);
  const repeated = Array.from({ length: Math.ceil((fileSeconds * pcmRate * 2) / talk.length) }, () => talk);
  const samples = (repeated.length * talk.length) / 2;
  const wav = Uint8Array.from(Buffer.concat([wavHeader(samples), ...repeated]));
  const isUnderWay: (() => Promise<boolean>)[] = [];
  const people = [await signUp(server), await signUp(server)];
  subscribe(dataDir);
  for (const person of people) {
    const { id } = await read(await upload(person, wav), 202, Transcription);
    const stage = async () => (await getTranscription(person, id)).progress?.stage;
    while ((await stage()) !== "recognizing") await wait(100);
    isUnderWay.push(async () => (await stage()) === "recognizing");
  }
  return async () => (await Promise.all(isUnderWay.map((one) => one()))).every(Boolean);
}

/** @returns ms */
async function translate(person: Person, text: string): Promise<number> {
  const begin = performance.now();
  await read(await person.call("POST", "/api/v1/translations", { text, source: "en", target: "es" }), 200, TranslationAnswer);
  return performance.now() - begin;
}

/** The ms that Apertium takes for each text, with loaded dictionaries. */
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
const most = (times: readonly number[]) => `${milliseconds(Math.max(...times))}, median ${milliseconds(quantile(times, 0.5))}`;

/**
 * The final texts come after the words: a pause of 0.6 s ends a phrase, and one of 1.3 s a short phrase, which would
 * otherwise continue with the next one.
 */
const finalsOf = (who: string, { finals }: Dictated): Figure => ({
  name: `${who}: final text after a phrase, 95 %`,
  value: both(finals),
});

/** The wrong words of the real voice, which is the first recording. */
function errorsOf({ segments }: Dictated): Figure {
  const [real] = sounds;
  const seconds = (real?.pcm.length ?? 0) / (pcmRate * 2);
  const heard = segments.filter(({ start }) => start < seconds).map(({ text }) => text);
  const { errors, words, percent } = wordErrors(heard.join(" "), real?.text ?? "");
  const limit = `${errorLimit} %`;
  return { name: "one person: wrong words of the real voice", value: `${errors} of ${words}`, limit, ok: percent <= errorLimit };
}

const folder = await mkdtemp(join(tmpdir(), "parlance-bench-"));
const { url, child } = await launchProduct(folder);
try {
  const server = { apiUrl: url };
  const person = await signUp(server);
  // The first dictation loads the model.
  await dictate(person, sounds[2]?.pcm ?? Buffer.alloc(0));
  const { pcm, phraseEnds } = speech(0);
  const translating: Promise<number>[] = [];
  const onFinal = ({ text }: Segment) => void translating.push(translate(person, text));
  const alone = await dictate(person, pcm, { phraseEnds, onFinal });
  const translations = {
    ours: await Promise.all(translating),
    bare: await translateBarely(alone.segments.map(({ text }) => text)),
  };
  const ratio = quantile(translations.ours, 0.95) / quantile(translations.bare, 0.95);
  const people = await Promise.all(Array.from({ length: crowd }, () => signUp(server)));
  const together = await Promise.all(
    people.map(async (one, at) => {
      // The people start at different times.
      await wait(at * 330);
      const own = speech(at % sounds.length);
      return dictate(one, own.pcm, own);
    }),
  );
  const late = together.flatMap(({ words }) => words);
  const areUnderWay = await sendFiles(server, folder);
  const beside = await dictate(person, pcm, { phraseEnds });
  const isMeasured = await areUnderWay();
  report([
    { name: "live speech", value: `${alone.words.length} words, on ${availableParallelism()} cores` },
    {
      name: "one person: the first word of an utterance on the page, at most",
      value: most(alone.firstWords),
      limit: milliseconds(firstLimit),
      ok: Math.max(...alone.firstWords) <= firstLimit,
    },
    { name: "  any word", value: most(alone.words) },
    finalsOf("one person", alone),
    errorsOf(alone),
    {
      name: "translation after that, against Apertium alone, 95 %",
      value: `${ratio.toFixed(2)} times`,
      limit: `${translationLimit} times`,
      ok: ratio <= translationLimit,
    },
    { name: "  of Parlance", value: both(translations.ours) },
    { name: "  of what does nothing else", value: both(translations.bare) },
    {
      name: `${crowd} people at once: any word on the page, at most`,
      value: most(late),
      limit: milliseconds(wordLimit),
      ok: Math.max(...late) <= wordLimit,
    },
    { name: "  the first word of an utterance", value: most(together.flatMap(({ firstWords }) => firstWords)) },
    { name: "  final text after a phrase, 95 %", value: both(together.flatMap(({ finals }) => finals)) },
    finalsOf("one person beside two files", beside),
    { name: "both files still being recognized at the end", value: isMeasured ? "yes" : "no", limit: "yes", ok: isMeasured },
  ]);
} finally {
  await end(child);
  await rm(folder, { recursive: true, force: true });
}
