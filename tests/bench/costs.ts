// Measures the processor time of each kind of request, of a minute of dictation and of an hour of audio;
// docs/run/scaling.md calculates with these figures. Counted is the server with all of its child processes, without the
// bench itself. Run: npm run bench -- costs
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import { LoginAnswer, Transcription } from "#contract/index.ts";
import { wavHeader } from "#server/speech/index.ts";
import { pcmRate } from "#speech/bytes.ts";
import { asPerson, base, getTranscription, type Person, post, read, upload } from "#tests/server/harness.ts";
import { type Figure, report } from "./figures.ts";
import { end, launchProduct } from "./history/serve.ts";
import { dictate } from "./live/dictated.ts";
import { processorSeconds } from "./process-tree.ts";
import { subscribe } from "./server/subscribe.ts";
import { sentences, speak } from "./spoken.ts";

const account = { email: "bench@example.org", password: "correct horse battery" };
/** The length of the transcribed file, in minutes. */
const fileMinutes = 10;
/** The words of an hour at 150 a minute, and of a dictation. */
const hourWords = 9_000;
const dictationWords = 150;

interface Server {
  pid: number;
  apiUrl: string;
}

/** Reads the whole body: then the server has done all of its work. */
async function done(answer: Promise<Response>, status = 200): Promise<void> {
  const got = await answer;
  const body = await got.arrayBuffer();
  if (got.status !== status) throw new Error(`${got.url}: ${got.status} ${Buffer.from(body).toString().slice(0, 300)}`);
}

/** The processor time in ms of one request, averaged over this many in sequence. */
async function costOf(pid: number, times: number, work: (index: number) => Promise<void>): Promise<number> {
  const before = await processorSeconds(pid);
  for (let index = 0; index < times; index++) await work(index);
  return ((await processorSeconds(pid)) - before) * (1000 / times);
}

/** A transcript of so many words, in segments of twelve, each word with its time, as engines give them. */
function draft(words: number, number: number) {
  const said = sentences(Math.ceil(words / 12));
  const segments = Array.from({ length: Math.ceil(words / 12) }, (_, at) => ({
    start: at * 4.8,
    end: at * 4.8 + 4.6,
    text: said[at] ?? "",
    words: (said[at] ?? "")
      .split(" ")
      .map((text, index) => ({ text, start: at * 4.8 + index * 0.38, end: at * 4.8 + index * 0.38 + 0.3 })),
  }));
  const text = segments.map((segment) => segment.text).join(" ");
  return {
    clientId: crypto.randomUUID(),
    title: `Number ${number}`,
    text,
    segments,
    sourceLanguage: "en",
    targetLanguage: null,
    date: new Date().toISOString(),
  };
}

/** The bytes of the rows and SQLite's indices, without free pages, which are used again. */
async function databaseBytes(dataDir: string): Promise<number> {
  using db = new DatabaseSync(join(dataDir, "parlance.db"), { readOnly: true, timeout: 10_000 });
  const Sizes = v.object({ used: v.number() });
  const pages = db.prepare(
    "select (page_count - freelist_count) * page_size as used from pragma_page_count, pragma_freelist_count, pragma_page_size",
  );
  return v.parse(Sizes, pages.get()).used;
}

const perRequest = (name: string, ms: number): Figure => ({ name, value: `${ms.toFixed(1)} ms` });

async function requests({ pid }: Server, person: Person, dataDir: string): Promise<Figure[]> {
  const signIn = await costOf(pid, 30, () => done(person.call("POST", "/auth/login", account)));
  const save = (words: number) => (index: number) =>
    done(person.call("POST", `${base}/save-final-transcription`, draft(words, index)));
  const saving = await costOf(pid, 200, save(dictationWords));
  const bytesBefore = await databaseBytes(dataDir);
  const answer = await person.call("POST", `${base}/save-final-transcription`, draft(hourWords, 0));
  const { id, segments } = await read(answer, 200, Transcription);
  const stored = (await databaseBytes(dataDir)) - bytesBefore;
  const history = `${base}/transcription-history?limit=20`;
  const page = await costOf(pid, 300, () => done(person.call("GET", history)));
  const search = await costOf(pid, 100, () => done(person.call("GET", `${history}&search=harbor`)));
  const reading = await costOf(pid, 100, () => done(person.call("GET", `${base}/transcription/${id}`)));
  const correcting = await costOf(pid, 50, (index) =>
    done(person.call("PUT", `/audio/remove-transcription/${id}`, { title: `Corrected ${index}`, segments })),
  );
  const text = sentences(12).join(" ").slice(0, 500);
  const translating = await costOf(pid, 30, () =>
    done(person.call("POST", "/api/v1/translations", { text, source: "en", target: "es" })),
  );
  const ping = await costOf(pid, 500, () => done(person.call("GET", "/auth/ping")));
  return [
    perRequest("session check", ping),
    perRequest("sign-in (Argon2id)", signIn),
    perRequest("a page of the history, 20 of 201", page),
    perRequest("… with a search", search),
    perRequest("the transcript of an hour", reading),
    perRequest("a correction in it", correcting),
    perRequest(`saving a dictation of ${dictationWords} words`, saving),
    perRequest("translating 500 characters (Apertium)", translating),
    { name: "the transcript of an hour, in the database", value: `${(stored / 1000).toFixed(0)} kB` },
  ];
}

async function file({ pid }: Server, person: Person, folder: string): Promise<Figure[]> {
  const path = join(folder, "speech.wav");
  // A sentence takes 4.1 s on average, with its pause.
  await speak(sentences(Math.ceil((fileMinutes * 60) / 4.1)).join("\n"), path);
  const wav = Uint8Array.from(await readFile(path));
  const audioSeconds = (wav.length - wavHeader(0).length) / (pcmRate * 2);
  const before = await processorSeconds(pid);
  const { id } = await read(await upload(person, wav), 202, Transcription);
  const uploaded = await processorSeconds(pid);
  for (;;) {
    const { status } = await getTranscription(person, id);
    if (status === "completed") break;
    if (status === "failed") throw new Error("The file could not be transcribed.");
    await wait(250);
  }
  const transcribed = (await processorSeconds(pid)) - uploaded;
  return [
    { name: "receiving 100 MB", value: `${(((uploaded - before) / (wav.length / 1e6)) * 100).toFixed(1)} s` },
    {
      name: "an hour of a file (the built-in model, decoding included)",
      value: `${((transcribed / audioSeconds) * 60).toFixed(1)} min`,
    },
  ];
}

/** Dictates talk.wav at the pace of a microphone, after the model was loaded. */
async function dictation({ pid }: Server, person: Person): Promise<Figure> {
  const [talk, harbor] = await Promise.all([fixture("talk"), fixture("harbor")]);
  await dictate(person, harbor);
  const before = await processorSeconds(pid);
  await dictate(person, talk);
  const seconds = talk.length / (pcmRate * 2);
  const used = (await processorSeconds(pid)) - before;
  return { name: "a minute of dictation (the built-in model)", value: `${((used / seconds) * 60).toFixed(1)} s` };
}

async function fixture(name: string): Promise<Buffer> {
  return (await readFile(new URL(`../fixtures/audio/${name}.wav`, import.meta.url))).subarray(wavHeader(0).length);
}

const folder = await mkdtemp(join(tmpdir(), "parlance-bench-"));
const { url: apiUrl, child } = await launchProduct(folder);
try {
  const server: Server = { pid: child.pid ?? 0, apiUrl };
  const { accessToken } = await read(await post(server, "/auth/register", account), 201, LoginAnswer);
  const person = asPerson(server, accessToken);
  subscribe(folder);
  report([...(await requests(server, person, folder)), await dictation(server, person), ...(await file(server, person, folder))]);
} finally {
  await end(child);
  await rm(folder, { recursive: true, force: true });
}
