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

/** As long as a file must not have changed (ms). */
const steadyMs = 10_000;

interface Watched extends Site {
  person: Person;
  server: Running;
  /** Called after the next scan. */
  onScan: Set<() => void>;
}

/** What stays when the server is started again. */
interface Site {
  folder: string;
  clock: TestClock;
  dataDir: string;
  account: Person;
}

/** The account is made first, by a server that watches nothing. */
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

/** A scan that has begun after now has ended. */
async function scanned({ onScan }: Watched): Promise<void> {
  for (let scan = 0; scan < 2; scan += 1) await new Promise<void>((resolve) => onScan.add(resolve));
}

/** Lets a file be whole, and looks. */
async function pass(watched: Watched): Promise<void> {
  await scanned(watched);
  watched.clock.advance(steadyMs);
  await scanned(watched);
}

/** Lets what lies there be whole, and waits until there are this many files. Time stands still meanwhile: leases and sign-ins last. */
async function until(watched: Watched, count: number): Promise<string[]> {
  await pass(watched);
  return eventually(
    () => names(watched),
    // One that is being written is another name until it is whole.
    (all) => all.length >= count && !all.some((name) => name.endsWith(".part")),
  );
}

// PROMISE folder: A complete recording in the watched folder gets its texts beside it
test("a recording that is put into the folder gets its texts beside it, and is in the account's history", async () => {
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
test("a file that somebody is still copying waits until it is whole", async () => {
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
test("after a restart nothing is done twice, and what was under way gets its texts", async () => {
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

test("a killed server that had taken a file and not noted it takes it no second time", async () => {
  const watched = await begin();
  await put(watched, "talk.wav");
  await until(watched, 4);
  await watched.server.close();
  {
    using db = openSql(watched.dataDir);
    db.prepare("delete from watched_files").run();
  }
  const again = await start(watched);
  // Its texts lie there: those are somebody's, and these are beside them.
  expect(await until(again, 7)).toContain("talk.wav.txt");
  expect(await transcribed(again)).toEqual(["talk: completed"]);
});

// PROMISE folder: A restart repeats no work and overwrites no file in the folder
test("another version of a file is transcribed anew, and nothing that lies there is overwritten", async () => {
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
test("what goes wrong is said beside the recording, until it went well", async () => {
  let isBroken = true;
  const transcribe = async () => {
    if (isBroken) throw new Problem("engineFailed");
    return [segment("well", 0, 1)];
  };
  const engines = scriptedEngines({ transcribe });
  // What fails is tried again at once: time stands still.
  const watched = await begin({ engines, workerTimes: { pollMs: 15, beatMs: 30, retryMs: [0] } }, { MAX_UPLOAD_MB: "1" });
  await put(watched, "talk.wav");
  await put(watched, "video.mp4", Buffer.alloc(2 * 1024 * 1024));
  await put(watched, "empty.mp3", Buffer.alloc(0));
  await until(watched, 6);
  expect(await text(watched, "talk.wav.problem.txt")).toBe("talk.wav: The speech engine failed.\n");
  expect(await text(watched, "video.mp4.problem.txt")).toBe("video.mp4: This is too large.\n");
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
test("a folder that is gone for a while is waited for, and said once in the log", async () => {
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
    { message: "watched folder", complaint: "ENOENT" },
    { message: "watched folder is there again" },
  ]);
});

test.each([
  ["of 255 bytes", `${"a".repeat(251)}.wav`],
  ["of 255 bytes in long letters", `${"語".repeat(83)}bb.wav`],
  ["of several lines", "one\ntwo\u0007\u202e.wav"],
])("a recording with a name %s gets its texts, and so does another that begins alike", async (_, name) => {
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

test("what can't be written beside a recording is said once, and written when it can be", async () => {
  const lines: string[] = [];
  const watched = await begin({ writeLog: (line) => lines.push(line) });
  // Neither can be replaced by a file.
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
    "watched file was not taken",
    "nothing could be written beside a watched file",
    "nothing could be written beside a watched file",
  ]);
  await rm(join(watched.folder, "talk.txt.part"), { recursive: true });
  watched.clock.advance(10 * 60_000);
  await eventually(
    () => names(watched),
    (all) => all.includes("talk.json"),
  );
});

test("what was deleted in the browser before it was done gets no texts, and is not begun anew", async () => {
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
  [{ PARLANCE_WATCH: "/in" }, "PARLANCE_WATCH_ACCOUNT is needed with PARLANCE_WATCH."],
  [
    { PARLANCE_WATCH_ACCOUNT: "a@example.org" },
    "PARLANCE_WATCH: is missing, and PARLANCE_WATCH_ACCOUNT is of no use without it.",
  ],
  [
    { PARLANCE_WATCH: "/in", PARLANCE_WATCH_ACCOUNT: "a@example.org", PARLANCE_WATCH_LANGUAGE: "klingon" },
    'PARLANCE_WATCH_LANGUAGE: "klingon" is no language that is heard, such as en, or auto.',
  ],
])("%j is refused with a sentence", (env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence);
});
