import { rm } from "node:fs/promises";
import * as v from "valibot";
import { onTestFinished } from "vitest";
import { ErrorBody, LoginAnswer, Transcription } from "#contract/index.ts";
import { readConfig } from "#server/config/config.ts";
import type { Overrides } from "#server/processes/overrides.ts";
import { openEspeak, type SpeechSynthesizer } from "#server/speech/espeak.ts";
import { type Running, startServer } from "#server/start.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { checkedLog, notePersonal } from "./checked-log.ts";
import { createDatabase, databaseEnv, dropDatabase, onPostgres } from "./database.ts";
import { scriptedEngines, scriptedTranslation } from "./jobs/scripted.ts";
import { plainDecode } from "./processing/plain-decode.ts";
import { quickPasswords } from "./quick-passwords.ts";
import { sharedThreads } from "./threads/shared-threads.ts";

/** A clock that only moves when a test advances it. */
export interface TestClock {
  now(): number;
  advance(ms: number): void;
}

export function testClock(start = Date.parse("2026-03-01T12:00:00Z")): TestClock {
  let current = start;
  return {
    now: () => current,
    advance: (ms) => {
      current += ms;
    },
  };
}

/** A folder that is deleted after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await makeTemporaryFolder();
  onTestFinished(async () => {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    await dropDatabase(folder);
  });
  return folder;
}

/** Shared by all servers: listing eSpeak's voices starts a process. */
let synthesizer: Promise<SpeechSynthesizer> | undefined;

interface TestServerOptions extends Overrides {
  env?: Record<string, string>;
  /**
   * The data folder of an earlier server, to restart with its data, or the test's own folder, for which a database is
   * created.
   */
  dataDir?: string;
}

/**
 * The real server on free ports with its own data folder; closed after the test. Its engines are scripted by default.
 */
export async function startTestServer({
  env = {},
  dataDir,
  writeLog,
  ...overrides
}: TestServerOptions = {}): Promise<Running & { dataDir: string }> {
  const folder = dataDir ?? (await temporaryFolder());
  if (dataDir === undefined || onPostgres) await createDatabase(folder);
  const own = { PORT: "0", WEB_PORT: "0", PARLANCE_DATA: folder, LOG_LEVEL: "debug", ...databaseEnv(folder) };
  const config = readConfig({ ...own, ...env });
  synthesizer ??= openEspeak();
  const running = await startServer(config, {
    print: () => {},
    engines: scriptedEngines(),
    translation: scriptedTranslation(),
    passwords: quickPasswords,
    synthesizer: await synthesizer,
    decode: plainDecode,
    threads: sharedThreads(),
    workerTimes: { pollMs: 100, beatMs: 30 },
    liveTimes: { syncMs: 0 },
    connectionTimes: { graceMs: 500 },
    writeLog: checkedLog(writeLog),
    ...overrides,
  });
  onTestFinished(() => running.close());
  return { ...running, dataDir: folder };
}

export interface Person {
  token: string;
  email: string;
  apiUrl: string;
  /** Calls the API as this person; an object is sent as JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

let people = 0;
const password = "correct horse";

export async function signUp(server: Pick<Running, "apiUrl">): Promise<Person> {
  people += 1;
  const email = `person${people}@example.org`;
  const { accessToken } = await read(await post(server, "/auth/register", { email, password }), 201, LoginAnswer);
  return asPerson(server, accessToken, email);
}

/** The same person with a fresh token. */
export async function signInAgain(server: Pick<Running, "apiUrl">, { email }: Person): Promise<Person> {
  const { accessToken } = await read(await post(server, "/auth/login", { email, password }), 200, LoginAnswer);
  return asPerson(server, accessToken, email);
}

export function asPerson(server: Pick<Running, "apiUrl">, token: string, email = ""): Person {
  notePersonal({ token, email });
  return {
    token,
    email,
    apiUrl: server.apiUrl,
    call: (method, path, body, extra = {}) => {
      const headers = new Headers({ Authorization: `Bearer ${token}`, ...extra });
      if (body === undefined) return fetch(`${server.apiUrl}${path}`, { method, headers });
      if (body instanceof FormData) return fetch(`${server.apiUrl}${path}`, { method, headers, body });
      headers.set("Content-Type", "application/json");
      notePersonal(body);
      return fetch(`${server.apiUrl}${path}`, { method, headers, body: JSON.stringify(body) });
    },
  };
}

export function post(
  server: Pick<Running, "apiUrl">,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  notePersonal(body);
  return fetch(`${server.apiUrl}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

/** Checks status and schema of an answer. */
export async function read<Output>(answer: Response, status: number, schema: v.GenericSchema<unknown, Output>): Promise<Output> {
  const text = await answer.text();
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${text}`);
  return v.parse(schema, JSON.parse(text));
}

/** The code of a refusal. */
export async function refusal(answer: Response): Promise<string> {
  const { code } = v.parse(ErrorBody, await answer.json());
  return `${answer.status} ${code}`;
}

export interface UploadOptions {
  name?: string;
  type?: string;
  fields?: Record<string, string>;
}

export function uploadForm(
  bytes: Uint8Array<ArrayBuffer>,
  { name = "speech.wav", type = "audio/wav", fields = {} }: UploadOptions = {},
): FormData {
  const form = new FormData();
  const all = { clientId: crypto.randomUUID(), sourceLanguage: "en", size: String(bytes.length), ...fields };
  for (const [key, value] of Object.entries(all)) form.set(key, value);
  form.set("file", new Blob([bytes], { type }), name);
  return form;
}

export const base = "/api/v1/audio-transcriptions";

export function upload(person: Person, bytes: Uint8Array<ArrayBuffer>, options: UploadOptions = {}): Promise<Response> {
  return person.call("POST", `${base}/upload-and-transcribe`, uploadForm(bytes, options));
}

export async function getTranscription(person: Person, id: string): Promise<Transcription> {
  return read(await person.call("GET", `${base}/transcription/${id}`), 200, Transcription);
}

/** ms between two tries: short waits stay short, and long waits poll rarely. */
const firstPauseMs = 10;
const longestPauseMs = 150;

/**
 * Asks until the condition holds.
 * @param timeoutMs ms that a slow machine may need
 * @throws after `timeoutMs`, with the last answer
 */
export async function eventually<Value>(
  ask: () => Promise<Value>,
  holds: (value: Value) => boolean,
  timeoutMs = timeLimit(100_000),
): Promise<Value> {
  const until = Date.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const value = await ask();
    if (holds(value)) return value;
    if (Date.now() > until) throw new Error(`still not so after ${timeoutMs / 1000} s: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Waits until a transcription is completed or has failed. */
export function settled(person: Person, id: string): Promise<Transcription> {
  return eventually(
    () => getTranscription(person, id),
    ({ status }) => status === "completed" || status === "failed",
  );
}
