import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as v from "valibot";
import { expect, test } from "vitest";
import { allWords, Dictation, textOf } from "#tests/server/dictation/dictation.ts";
import {
  asPerson,
  base,
  eventually,
  type Person,
  read,
  settled,
  signUp,
  temporaryFolder,
  upload,
} from "#tests/server/harness.ts";
import { buzzWav, spokenWav } from "#tests/server/jobs/scripted.ts";
import { begunPieces, startChild } from "#tests/server/jobs/spawned.ts";
import { append, begin, offsetOf } from "#tests/server/uploads/tus.ts";

// Stops whole servers in the middle of their work.

const Created = v.object({ id: v.string() });

/** Reads a job from the queue without the server. */
function jobOf(dataDir: string, id: string) {
  const db = new DatabaseSync(join(dataDir, "parlance.db"), { readOnly: true });
  try {
    return db.prepare("select lease_id, attempts, interruptions from jobs where transcription_id = ?").get(id);
  } finally {
    db.close();
  }
}

/** The statuses of /readyz until the server no longer answers. */
async function readyUntilGone(apiUrl: string): Promise<number[]> {
  const statuses: number[] = [];
  for (;;) {
    try {
      statuses.push((await fetch(`${apiUrl}/readyz`)).status);
    } catch {
      return statuses;
    }
  }
}

const again = (server: { apiUrl: string }, { token, email }: Person) => asPerson(server, token, email);

// PROMISE operating: A restart during work loses nothing, and takes at most ten seconds
test("loses nothing in a restart during a job, an upload, a dictation and an event stream", async () => {
  const dataDir = await temporaryFolder();
  // The first piece is finished; the second is under way when the signal comes, and would never end.
  const first = await startChild(dataDir, { stopAfter: "1" });
  const person = await signUp(first);
  const { id } = await read(await upload(person, spokenWav(60)), 202, Created);
  await eventually(
    () => begunPieces(dataDir).catch(() => []),
    (pieces) => pieces.length >= 2,
  );
  const bytes = buzzWav(4);
  const path = await begin(person, { size: bytes.length });
  await append(first, person, path, { offset: 0, body: bytes.subarray(0, 50_000) });
  const dictation = await Dictation.start(first.apiUrl, person.token);
  dictation.speak(0, 20);
  await dictation.acked(20);
  const events = await person.call("GET", `${base}/events`);

  const from = performance.now();
  process.kill(first.pid, "SIGTERM");
  const ready = readyUntilGone(first.apiUrl);
  // The stream ends as a whole, not as a connection that is cut.
  await events.text();
  expect(await dictation.closed).toBe(1001);
  expect(await first.gone).toEqual([0, null]);
  expect(performance.now() - from).toBeLessThan(10_000);
  // The server may answer the first request before it notices the signal, and close the port before the next one.
  const statuses = (await ready).join(" ");
  expect(statuses).toMatch(/^(200 ?)*(503 ?)*$/);
  expect(jobOf(dataDir, id)).toMatchObject({ lease_id: null, attempts: 0, interruptions: 0 });

  const second = await startChild(dataDir);
  const back = again(second, person);
  expect(await settled(back, id)).toMatchObject({ status: "completed", error: null });
  expect(await offsetOf(back, path)).toBe(50_000);
  const { status } = await append(second, back, path, { offset: 50_000, body: bytes.subarray(50_000) });
  expect(status).toBeLessThan(300);
  const resumed = await Dictation.start(second.apiUrl, person.token, dictation.recordingId);
  const [ready2] = resumed.messages;
  expect(ready2).toMatchObject({ type: "ready", ack: 20 });
  resumed.speak(20, 40);
  resumed.say({ type: "end", frames: 40 });
  const { segments } = await resumed.next("done");
  expect(textOf(segments)).toBe(allWords(8));
});

test("ends at once at the second signal", async () => {
  const child = await startChild(await temporaryFolder());
  // Two of one kind might arrive as one.
  process.kill(child.pid, "SIGTERM");
  process.kill(child.pid, "SIGINT");
  expect([
    [130, null],
    [143, null],
  ]).toContainEqual(await child.gone);
});
