import { expect, test } from "vitest";
import { StorageUse, Transcription } from "#contract/index.ts";
import { read, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { here, say, talk } from "#tests/server/translator/talking.ts";
import { bucketBehind } from "./s3-between.ts";

// Needs a server that speaks S3, and counts what it is asked.

test("asks the bucket for an audio's size once, and again after a change", async () => {
  const asked: string[] = [];
  const env = await bucketBehind(({ method, url = "" }) => {
    const [, id] = /audio\/([^/]+)\/original(?:\?|$)/.exec(url) ?? [];
    if (method === "HEAD" && id !== undefined) asked.push(id);
    return true;
  });
  const server = await startTestServer({ env });
  const person = await signUp(server);
  /** How much more is stored than before, and for which audio files the bucket was asked. */
  let kept = 0;
  const grown = async () => {
    asked.length = 0;
    const { usedBytes } = await read(await person.call("GET", "/api/v1/storage"), 200, StorageUse);
    const more = usedBytes - kept;
    kept = usedBytes;
    return { more, asked: [...asked] };
  };
  await grown();
  const wav = buzzWav(10);
  const { id } = await settled(person, (await read(await upload(person, wav), 202, Transcription)).id);
  const first = await grown();
  expect(first.asked).toEqual([id]);
  // Includes the text.
  expect(first.more).toBeGreaterThan(wav.length);
  expect(first.more).toBeLessThan(wav.length + 2_000);
  expect(await grown()).toEqual({ more: 0, asked: [] });

  const conversation = talk(server, person);
  const said = await conversation.record(2, 100);
  const made = await conversation.save(said, 1, { ...here, segments: [say("one", "uno", 2)] });
  const two = await grown();
  expect(two.asked).toEqual([made.id]);
  const later = await conversation.record(5, 200);
  await conversation.save(later, 2, { ...here, segments: [say("two", "dos", 5)] });
  const seven = await grown();
  expect(seven.asked).toEqual([made.id]);
  // Five seconds of 32,000 bytes, and a few words.
  expect(Math.round(seven.more / 32_000)).toBe(5);
  expect(await grown()).toEqual({ more: 0, asked: [] });

  await person.call("DELETE", `/audio/remove-transcription/${id}`);
  await person.call("POST", "/api/v1/audio-transcriptions/trash/erase", { ids: [id] });
  // The next sweep deletes erased files.
  await server.sweep();
  expect((await grown()).more).toBe(-first.more);
});
