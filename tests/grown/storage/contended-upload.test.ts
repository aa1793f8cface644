import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { signUp, startTestServer } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { append, begin, idOf, offsetOf } from "#tests/server/uploads/tus.ts";
import { bucketBehind } from "./s3-between.ts";

// Needs a server that speaks S3, and slows it down: two requests want one upload.

/** Longer than a request may hold an upload that another one wants (server/uploads/routes.ts: `drainMs`), in ms. */
const slowMs = 600;

test("tells an overtaken request to retry, as tus requires", async () => {
  let slow = { id: "", began: Promise.withResolvers<void>() };
  const env = await bucketBehind(async ({ url = "" }) => {
    if (slow.id === "" || !url.includes(slow.id)) return true;
    slow.id = "";
    slow.began.resolve();
    await setTimeout(slowMs);
    return true;
  });
  const server = await startTestServer({ env });
  const person = await signUp(server);
  const wav = buzzWav(5);
  const path = await begin(person, { size: wav.length });
  const contend = async () => {
    const offset = await offsetOf(person, path);
    const part = { offset, body: wav.subarray(offset, offset + 1_000) };
    slow = { id: idOf(path), began: Promise.withResolvers() };
    const first = append(server, person, path, part);
    await slow.began.promise;
    const second = append(server, person, path, part);
    const answer = await first;
    await second;
    return { status: answer.status, said: await answer.text() };
  };
  // On a machine that is busy the other one may come too late.
  const until = { timeout: timeLimit(60_000) };
  await expect.poll(contend, until).toMatchObject({ status: 423, said: expect.stringContaining("conflict") });
  const offset = await offsetOf(person, path);
  expect((await append(server, person, path, { offset, body: wav.subarray(offset) })).status).toBe(204);
});
