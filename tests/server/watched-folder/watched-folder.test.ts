import { appendFile, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "#server/config/config.ts";
import { Problem } from "#server/errors/problem.ts";
import type { Overrides } from "#server/processes/overrides.ts";
import type { Running } from "#server/start.ts";
import { openSql } from "#tests/server/database.ts";
import { buzzWav, scriptedEngines, segment } from "#tests/server/jobs/scripted.ts";
import { history } from "#tests/server/transcription/saved.ts";
import {
  eventually,
  type Person,
  signInAgain,
  signUp,
  startTestServer,
  type TestClock,
  temporaryFolder,
  testClock,
} from "../harness.ts";

/** ms that a file must be unchanged before it counts as complete. */
const steadyMs = 10_000;

interface Watched extends Site {
  person: Person;
  server: Running;
  /** Callbacks that run after the next scan. */
  onScan: Set<() => void>;
}

/** Survives a restart of the server. */
interface Site {
  folder: string;
  clock: TestClock;
  dataDir: string;
  account: Person;
}

/** Creates the account first, with a server that watches nothing. */
async function prepare(): Promise<Site> {
  const folder = await temporaryFolder();
  const clock = testClock();
  const server = await startTestServer({ now: clock.now });
  const account = await signUp(server);
  await server.close();
  return { folder, clock, account, dataDir: server.dataDir };
}

async function start(site: Site, overrides: Overrides = {}, env: Record<string, string> = {}): Promise<Watched> {
  const { folder, clock, account, dataDir } = site;
  const watching = { PARLANCE_WATCH: folder, PARLANCE_WATCH_ACCOUNT: account.email, ...env };
  const onScan = new Set<() => void>();
  const notifyScan = () => {
    const waiting = [...onScan];
    onScan.clear();
    for (const told of waiting) told();
  };
  const watchTimes = { scanMs: 15, onScan: notifyScan };
  const server = await startTestServer({ now: clock.now, dataDir, env: watching, watchTimes, ...overrides });
  return { ...site, server, onScan, person: await signInAgain(server, account) };
}

const begin = async (overrides: Overrides = {}, env: Record<string, string> = {}) => start(await prepare(), overrides, env);

const put = ({ folder }: Site, name: string, bytes: Uint8Array = buzzWav(5)) => writeFile(join(folder, name), bytes);
const names = async ({ folder }: Site) => (await readdir(folder)).sort();
const text = ({ folder }: Site, name: string) => readFile(join(folder, name), "utf8");

const transcribed = async ({ person }: Watched) =>
  (await history(person)).data.map(({ title, status }) => `${title}: ${status}`).sort();

/** Waits for the end of a scan that begins after this call. */
async function scanned({ onScan }: Watched): Promise<void> {
  for (let scan = 0; scan < 2; scan += 1) await new Promise<void>((resolve) => onScan.add(resolve));
}

/** Lets the files become complete and waits for a scan. */
async function pass(watched: Watched): Promise<void> {
  await scanned(watched);
  watched.clock.advance(steadyMs);
  await scanned(watched);
}

/**
 * Lets the files become complete and waits for this many of them. The clock stands still meanwhile, so leases and
 * sign-ins last.
 */
async function until(watched: Watched, count: number): Promise<string[]> {
  await pass(watched);
  return eventually(
    () => names(watched),
    // A file that is being written has another name until it is complete.
    (all) => all.length >= count && !all.some((name) => name.endsWith(".part")),
  );
}

// PROMISE folder: A complete recording in the watched folder gets its texts beside it
test("writes texts beside a recording in the watched folder and lists it in the account's history", async () => {
  const watched = await begin({}, { PARLANCE_WATCH_TRANSLATE_TO: "es" });
  await mkdir(join(watched.folder, "march"));
  await put(watched, join("march", "talk.wav"));
  await put(watched, "notes.txt", Buffer.from("mine"));
  await put(watched, ".hidden.wav");
  await symlink(join(watched.folder, "march", "talk.wav"), join(watched.folder, "link.wav"));
  const march = { ...watched, folder: join(watched.folder, "march") };
  expect(await until(march, 4)).toEqual(["talk.json", "talk.srt", "talk.txt", "talk.wav"]);
  expect(await text(march, "talk.txt")).toContain("piece 5");
  expect(await text(march, "talk.srt")).toMatch(/^1\r?\n00:00:00,000 --> /);
  expect(JSON.parse(await text(march, "talk.json"))).toMatchObject({ title: "talk", translatedText: "es:piece 5" });
  expect(await names(watched)).toEqual([".hidden.wav", "link.wav", "march", "notes.txt"]);
  expect(await transcribed(watched)).toEqual(["talk: completed"]);
});

// PROMISE folder: A complete recording in the watched folder gets its texts beside it
test("waits until a file that is being copied is complete", async () => {
  const watched = await begin();
  const whole = buzzWav(8);
  await put(watched, "talk.wav", whole.subarray(0, 100_000));
  for (const end of [150_000, 200_000, whole.length]) {
    await scanned(watched);
    watched.clock.advance(steadyMs - 1);
    await scanned(watched);
    const { length } = await readFile(join(watched.folder, "talk.wav"));
    await appendFile(join(watched.folder, "talk.wav"), whole.subarray(length, end));
  }
  await until(watched, 4);
  expect(await text(watched, "talk.txt")).toContain("piece 8");
  expect(await transcribed(watched)).toEqual(["talk: completed"]);
});

// PROMISE folder: A restart repeats no work and overwrites no file in the folder
test("repeats no work after a restart and finishes interrupted work", async () => {
  const site = await prepare();
  const transcribe = (_pcm: Buffer, { signal }: { signal?: AbortSignal }) =>
    new Promise<never>((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  const first = await start(site, { engines: scriptedEngines({ transcribe }) });
  await put(site, "talk.wav");
  await pass(first);
  await eventually(
    () => transcribed(first),
    ([one]) => one === "talk: processing",
  );
  await first.server.close();
  const second = await start(site);
  await until(second, 4);
  await second.server.close();
  const third = await start(site);
  await pass(third);
  await pass(third);
  expect(await names(third)).toEqual(["talk.json", "talk.srt", "talk.txt", "talk.wav"]);
  expect(await transcribed(third)).toEqual(["talk: completed"]);
});

test("transcribes a file once when the server is killed before it records the file", async () => {
  const watched = await begin();
  await put(watched, "talk.wav");
  await until(watched, 4);
  await watched.server.close();
  {
    using db = openSql(watched.dataDir);
    db.prepare("delete from watched_files").run();
  }
  const again = await start(watched);
  // Its earlier texts count as the user's files, so the new texts get other names.
  expect(await until(again, 7)).toContain("talk.wav.txt");
  expect(await transcribed(again)).toEqual(["talk: completed"]);
});

// PROMISE folder: A restart repeats no work and overwrites no file in the folder
test("transcribes a new version of a file without overwriting existing files", async () => {
  const watched = await begin();
  await put(watched, "talk.txt", Buffer.from("somebody's notes"));
  await put(watched, "talk.wav", buzzWav(5));
  await until(watched, 5);
  expect(await text(watched, "talk.wav.txt")).toContain("piece 5");
  await put(watched, "talk.wav", buzzWav(7));
  await until(watched, 8);
  expect(await text(watched, "talk.wav (2).txt")).toContain("piece 7");
  expect(await text(watched, "talk.wav.txt")).toContain("piece 5");
  expect(await text(watched, "talk.txt")).toBe("somebody's notes");
});

// PROMISE folder: A failure is written beside the recording; a missing folder is waited for
test("writes a problem file beside a failed recording and removes it after success", async () => {
  let isBroken = true;
  const transcribe = async () => {
    if (isBroken) throw new Problem("engineFailed");
    return [segment("well", 0, 1)];
  };
  const engines = scriptedEngines({ transcribe });
  // Retries at once, because the clock stands still.
  const watched = await begin({ engines, workerTimes: { pollMs: 15, beatMs: 30, retryMs: [0] } }, { MAX_UPLOAD_MB: "1" });
  await put(watched, "talk.wav");
  await put(watched, "video.mp4", Buffer.alloc(2 * 1024 * 1024));
  await put(watched, "empty.mp3", Buffer.alloc(0));
  await until(watched, 6);
  expect(await text(watched, "talk.wav.problem.txt")).toBe("talk.wav: The speech engine failed.\n");
  expect(await text(watched, "video.mp4.problem.txt")).toBe("video.mp4: The request or file is too large.\n");
  expect(await text(watched, "empty.mp3.problem.txt")).toBe("empty.mp3: The file is empty.\n");
  isBroken = false;
  const [failed] = (await history(watched.person)).data;
  await watched.person.call("PUT", `/audio/remove-transcription/${failed?.id}`, { retry: true });
  await eventually(
    () => names(watched),
    (all) => all.includes("talk.json") && !all.some((name) => /^talk.*(problem.txt|part)$/.test(name)),
  );
  expect(await transcribed(watched)).toEqual(["talk: completed"]);
});

// PROMISE folder: A failure is written beside the recording; a missing folder is waited for
test("waits for a missing folder and logs the problem once", async () => {
  const lines: string[] = [];
  const watched = await begin({ writeLog: (line) => lines.push(line) });
  await put(watched, "talk.wav");
  await rename(watched.folder, `${watched.folder}-elsewhere`);
  await pass(watched);
  await pass(watched);
  await rename(`${watched.folder}-elsewhere`, watched.folder);
  await until(watched, 4);
  const said = lines.filter((line) => line.includes("watched folder"));
  expect(said.map((line) => JSON.parse(line))).toMatchObject([
    { message: "watched folder failed", complaint: "ENOENT" },
    { message: "watched folder available again" },
  ]);
});

test.each([
  ["of 255 bytes", `${"a".repeat(251)}.wav`],
  ["of 255 bytes in long letters", `${"語".repeat(83)}bb.wav`],
  ["of several lines", "one\ntwo\u0007\u202e.wav"],
])("writes texts for a recording with a name %s and for one with a similar name", async (_, name) => {
  const lines: string[] = [];
  const watched = await begin({ writeLog: (line) => lines.push(line) });
  const other = name.replace(/.\.wav$/, "c.wav");
  await put(watched, name);
  await put(watched, other, buzzWav(7));
  const found = await until(watched, 8);
  expect(found.map((one) => one.slice(one.lastIndexOf("."))).sort()).toEqual(
    [".json", ".srt", ".txt", ".wav"].flatMap((ending) => [ending, ending]),
  );
  const texts = found.filter((one) => one.endsWith(".txt")).map((one) => text(watched, one));
  expect((await Promise.all(texts)).map((one) => one.trim()).sort()).toEqual(["piece 5", "piece 7"]);
  expect(lines.join("")).not.toContain("watched file");
});

test("logs once when texts can't be written and retries later", async () => {
  const lines: string[] = [];
  const watched = await begin({ writeLog: (line) => lines.push(line) });
  // Folders that can't be replaced by a file.
  await mkdir(join(watched.folder, "talk.txt.part", "inside"), { recursive: true });
  await mkdir(join(watched.folder, "empty.mp3.problem.txt", "inside"), { recursive: true });
  await put(watched, "talk.wav");
  await put(watched, "empty.mp3", Buffer.alloc(0));
  await pass(watched);
  const said = () => lines.filter((line) => line.includes("watched file"));
  await eventually(
    async () => said(),
    (all) => all.length === 3,
  );
  await scanned(watched);
  watched.clock.advance(10 * 60_000);
  await scanned(watched);
  expect(said().map((line) => JSON.parse(line).message)).toEqual([
    "watched file not accepted",
    "texts not written beside a watched file",
    "texts not written beside a watched file",
  ]);
  await rm(join(watched.folder, "talk.txt.part"), { recursive: true });
  watched.clock.advance(10 * 60_000);
  await eventually(
    () => names(watched),
    (all) => all.includes("talk.json"),
  );
});

test("writes no texts for a transcription deleted in the browser and doesn't start again", async () => {
  const held = Promise.withResolvers<void>();
  const watched = await begin({ engines: scriptedEngines({ transcribe: () => held.promise.then(() => []) }) });
  await put(watched, "talk.wav");
  await pass(watched);
  const [row] = (await history(watched.person)).data;
  const { status } = await watched.person.call("DELETE", `/audio/remove-transcription/${row?.id}`);
  expect(status).toBe(200);
  held.resolve();
  await pass(watched);
  await pass(watched);
  expect(await names(watched)).toEqual(["talk.wav"]);
  expect(await transcribed(watched)).toEqual([]);
});

test.each([
  [{ PARLANCE_WATCH: "/in" }, "PARLANCE_WATCH_ACCOUNT is required with PARLANCE_WATCH."],
  [{ PARLANCE_WATCH_ACCOUNT: "a@example.org" }, "PARLANCE_WATCH: is missing, and PARLANCE_WATCH_ACCOUNT needs it."],
  [
    { PARLANCE_WATCH: "/in", PARLANCE_WATCH_ACCOUNT: "a@example.org", PARLANCE_WATCH_LANGUAGE: "klingon" },
    'PARLANCE_WATCH_LANGUAGE: "klingon" must be a language that can be recognized, such as en, or auto.',
  ],
])("refuses the configuration %j with an explanation", (env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence);
});
