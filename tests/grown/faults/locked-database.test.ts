import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { ErrorBody, Transcription, UserProfile } from "#contract/index.ts";
import { DatabaseGoneError } from "#server/db/errors.ts";
import { openDb } from "#server/db/open.ts";
import { allWords, Dictation, textOf } from "#tests/server/dictation/dictation.ts";
import { read, settled, signUp, startTestServer, temporaryFolder, upload } from "#tests/server/harness.ts";
import { scriptedEngines, segment, spokenWav } from "#tests/server/jobs/scripted.ts";

// Another process holds the database's lock, and the tests wait for it in real time.

/** Locks a server's database from another process, as an operator's tool may. @returns releases the lock */
async function lockDatabase(dataDir: string): Promise<() => Promise<void>> {
  const program = fileURLToPath(new URL("./locking-child.ts", import.meta.url));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, join(dataDir, "parlance.db")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return async () => {
    child.stdin.end();
    expect(await once(child, "close")).toEqual([0, null]);
  };
}

/** Engines that recognize "one two" in a file once the gate opens. */
function heldEngines() {
  const gate = Promise.withResolvers<void>();
  const hearing = Promise.withResolvers<void>();
  const transcribe = async (pcm: Buffer) => {
    hearing.resolve();
    await gate.promise;
    return [segment("one two", 0, pcm.length / 32_000)];
  };
  return { engines: scriptedEngines({ transcribe }), hearing, gate };
}

test("delays only changes while the database is locked for a moment", async () => {
  const { engines, hearing, gate } = heldEngines();
  const server = await startTestServer({ engines });
  const person = await signUp(server);
  const { id } = await read(await upload(person, spokenWav(2)), 202, Transcription);
  await hearing.promise;
  const live = await Dictation.start(server.apiUrl, person.token);

  const release = await lockDatabase(server.dataDir);
  let hasChanged = false;
  const changing = person.call("PATCH", "/users/me", { name: "Ada" }).then((answer) => {
    hasChanged = true;
    return answer;
  });
  gate.resolve();
  live.sendFrames(0, 20);
  expect((await fetch(`${server.apiUrl}/healthz`)).status).toBe(200);
  expect(hasChanged).toBe(false);
  await release();

  expect(await read(await changing, 200, UserProfile)).toMatchObject({ name: "Ada" });
  expect(await settled(person, id)).toMatchObject({ status: "completed", text: "one two", error: null });
  await live.acked(20);
  live.say({ type: "end", frames: 20 });
  expect(textOf((await live.next("done")).segments)).toBe(allWords(4));
});

test("tells all waiting requests at once that the database stays locked, and fails no job", async () => {
  const { engines, hearing, gate } = heldEngines();
  let now = Date.parse("2026-03-01T12:00:00Z");
  const server = await startTestServer({ engines, now: () => now });
  const person = await signUp(server);
  const { id } = await read(await upload(person, spokenWav(2)), 202, Transcription);
  await hearing.promise;
  const live = await Dictation.start(server.apiUrl, person.token);
  live.sendFrames(0, 20);
  await live.acked(20);

  const release = await lockDatabase(server.dataDir);
  gate.resolve();
  const from = performance.now();
  const answers = await Promise.all([1, 2, 3, 4, 5].map((one) => person.call("PATCH", "/users/me", { name: `Ada ${one}` })));
  const seconds = (performance.now() - from) / 1000;
  for (const answer of answers) {
    expect(answer.headers.get("retry-after")).toBe("5");
    expect((await read(answer, 503, ErrorBody)).message).toContain("can't reach its database");
  }
  // Simultaneously, not ten seconds each in a row.
  expect(seconds).toBeGreaterThan(9);
  expect(seconds).toBeLessThan(40);
  await release();

  expect(await read(await person.call("PATCH", "/users/me", { name: "Grace" }), 200, UserProfile)).toMatchObject({
    name: "Grace",
  });
  now += 60_000;
  expect(await settled(person, id)).toMatchObject({ status: "completed", text: "one two", error: null });
  // The words that could not be stored are recognized again.
  const again = await Dictation.start(server.apiUrl, person.token, live.recordingId);
  expect(again.messages[0]).toMatchObject({ type: "ready", ack: 20 });
  again.sendFrames(20, 30);
  again.say({ type: "end", frames: 30 });
  expect(textOf((await again.next("done")).segments)).toBe(allWords(6));
});

test("reports a read-only database as away, and rolls back failed transactions", async () => {
  const db = await openDb(await temporaryFolder());
  onTestFinished(() => db.destroy());
  await sql`pragma query_only = on`.execute(db);
  const change = db.transaction().execute(async (t) => {
    await sql`create table more (a)`.execute(t);
  });
  await expect(change).rejects.toBeInstanceOf(DatabaseGoneError);
  await sql`pragma query_only = off`.execute(db);
  await db.transaction().execute(async (t) => void (await sql`create table more (a)`.execute(t)));
});
