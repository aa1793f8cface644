import { expect, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { maxInterruptions } from "#server/jobs/claim-queries.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { asPerson, eventually, read, settled, signUp, temporaryFolder, upload } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { begunPieces, startChild } from "#tests/server/jobs/spawned.ts";

// Kills a server again and again. Once: ./crash.test.ts.

/** Many processes are started, one after the other (milliseconds). */
const timeoutMs = timeLimit(180_000);

/**
 * A server with one recording that is killed this many times, each time when its engine has started the piece after
 * `stopAfter` others.
 */
async function killedServer(seconds: number, { kills, stopAfter }: { kills: number; stopAfter: number }) {
  const dataDir = await temporaryFolder();
  const options = { stopAfter: String(stopAfter) };
  let child = await startChild(dataDir, options);
  const { token } = await signUp(child);
  const { id } = await read(await upload(asPerson(child, token), buzzWav(seconds)), 202, Transcription);
  for (let kill = 1; kill <= kills; kill += 1) {
    await eventually(
      () => begunPieces(dataDir).catch(() => []),
      (pieces) => pieces.length >= kill * (stopAfter + 1),
    );
    await child.kill();
    if (kill < kills) child = await startChild(dataDir, options);
  }
  return { id, person: asPerson(await startChild(dataDir), token) };
}

// PROMISE uploads: A killed server goes on from the last finished piece; no job fails
test(
  `completes a recording after ${maxInterruptions - 1} kills in a row`,
  async () => {
    const { person, id } = await killedServer(5, { kills: maxInterruptions - 1, stopAfter: 0 });
    expect(await settled(person, id)).toMatchObject({ status: "completed", error: null });
  },
  timeoutMs,
);

test(
  `fails a recording with the reason after ${maxInterruptions} kills in a row, and allows a retry`,
  async () => {
    const { person, id } = await killedServer(5, { kills: maxInterruptions, stopAfter: 0 });
    const error = { code: "crashed", message: expect.stringContaining("stopped several times") };
    expect(await settled(person, id)).toMatchObject({ status: "failed", hasAudio: true, error });
    await read(await person.call("PUT", `/audio/remove-transcription/${id}`, { retry: true }), 200, Transcription);
    expect(await settled(person, id)).toMatchObject({ status: "completed", error: null });
  },
  timeoutMs,
);

test(
  "completes a recording that makes progress each time, however often the server dies",
  async () => {
    const { person, id } = await killedServer(600, { kills: maxInterruptions + 2, stopAfter: 1 });
    const made = await settled(person, id);
    expect(made).toMatchObject({ status: "completed", error: null });
    expect(made.segments.length).toBeGreaterThan(maxInterruptions + 2);
  },
  timeoutMs,
);
