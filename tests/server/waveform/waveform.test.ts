import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Peaks, readPeaks, StorageUse, Transcription } from "#contract/index.ts";
import { AudioError } from "#server/speech/index.ts";
import { levelOf } from "#server/waveform/collector.ts";
import {
  base,
  eventually,
  type Person,
  read,
  refusal,
  settled,
  signUp,
  startTestServer,
  testClock,
  upload,
} from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { plainDecode } from "#tests/server/processing/plain-decode.ts";
import { save } from "#tests/server/transcription/saved.ts";
import { here, say, talk } from "#tests/server/translator/talking.ts";

const ask = (person: Person, id: string, headers: Record<string, string> = {}) =>
  person.call("GET", `${base}/transcription/${id}/peaks`, undefined, headers);

async function heard(person: Person, seconds = 5): Promise<string> {
  const { id } = await read(await upload(person, buzzWav(seconds)), 202, Transcription);
  return (await settled(person, id)).id;
}

async function peaksIn(answer: Response): Promise<Peaks> {
  const peaks = readPeaks(new Uint8Array(await answer.arrayBuffer()));
  if (answer.status !== 200 || peaks === undefined) throw new Error(`no peaks: ${answer.status}`);
  return peaks;
}

/** Asks until the peaks are made. */
const made = async (person: Person, id: string) =>
  peaksIn(
    await eventually(
      () => ask(person, id),
      ({ status }) => status !== 202,
    ),
  );

type Decode = typeof plainDecode;

/** Decodes like every test server until the test sets another decoder. */
async function begin() {
  const clock = testClock();
  let next: Decode = plainDecode;
  const server = await startTestServer({ now: clock.now, decode: (...asked) => next(...asked) });
  const person = await signUp(server);
  const file = (id: string) => join(server.dataDir, "audio", id, "peaks");
  /** A recording of an earlier release, without peaks. */
  const old = async (who = person) => {
    const id = await heard(who);
    await rm(file(id));
    return id;
  };
  const decode = (by: Decode) => {
    next = by;
  };
  return { clock, server, person, file, old, decode };
}

describe("GET /transcription/{id}/peaks", () => {
  // PROMISE player: A waveform is computed once, clicked, zoomed, repeated in part, without silences
  test("stores a waveform during transcription and serves it with an ETag to its owner only", async () => {
    const { server, person, file } = await begin();
    const id = await heard(person);
    const answer = await ask(person, id);
    const etag = answer.headers.get("ETag") ?? "";
    const kept = ["Content-Type", "Cache-Control"].map((name) => answer.headers.get(name));
    expect(kept).toEqual(["application/octet-stream", "private, no-cache"]);
    const { pairMs, levels, audioBytes } = await peaksIn(answer);
    expect([pairMs, levels.length / 2, audioBytes]).toEqual([40, 125, buzzWav(5).length]);
    // Two seconds of voice, half a second of silence, and the same again.
    const loud = Array.from({ length: 125 }, (_, pair) => (levels[2 * pair + 1] ?? 0) > levelOf(2_000));
    const seconds = [0, 1, 2.2, 2.4, 3, 4.4, 4.6, 4.9];
    expect(seconds.map((second) => loud[Math.round(second * 25)])).toEqual([true, true, false, false, true, true, false, false]);

    expect((await ask(person, id, { "If-None-Match": etag })).status).toBe(304);
    expect((await ask(person, id, { "If-None-Match": '"other"' })).status).toBe(200);
    expect(await refusal(await ask(await signUp(server), id))).toBe("404 notFound");
    expect((await readFile(file(id))).length).toBe(16 + 250);
  });

  test("counts a waveform as storage and deletes it with the audio", async () => {
    const { server, person, file, old } = await begin();
    const used = async () => (await read(await person.call("GET", "/api/v1/storage"), 200, StorageUse)).usedBytes;
    const id = await old();
    const before = await used();
    await made(person, id);
    expect(await used()).toBe(before + (await readFile(file(id))).length);
    await person.call("DELETE", `/audio/remove-transcription/${id}`);
    expect(await refusal(await ask(person, id))).toBe("404 notFound");
    await person.call("POST", `${base}/trash/erase`, { ids: [id] });
    await server.sweep();
    expect(existsSync(file(id))).toBe(false);
  });

  test("makes a missing waveform on demand, one per user at a time", async () => {
    const { server, person, old, decode } = await begin();
    const other = await signUp(server);
    const [first, second, others] = [await old(), await old(), await old(other)];
    const begun: string[] = [];
    const gate = Promise.withResolvers<void>();
    decode(async (source, options) => {
      begun.push(source.split("/").at(-2) ?? "");
      await gate.promise;
      return plainDecode(source, options);
    });
    const answers = [];
    for (const id of [first, first, second]) answers.push(await ask(person, id));
    answers.push(await ask(other, others));
    expect(answers.map(({ status, headers }) => [status, headers.get("Retry-After")])).toEqual(
      Array.from({ length: 4 }, () => [202, "2"]),
    );
    const both = await eventually(
      async () => begun.toSorted(),
      ({ length }) => length === 2,
    );
    expect(both).toEqual([first, others].toSorted());
    gate.resolve();
    for (const id of [first, second]) expect((await made(person, id)).levels.length).toBe(250);
    await made(other, others);
    expect(begun.toSorted()).toEqual([first, second, others].toSorted());
  });

  test("stores an empty waveform for undecodable audio and retries after other failures", async () => {
    const { clock, person, old, decode } = await begin();
    const id = await old();
    let times = 0;
    const fail = (code: AudioError["code"]) =>
      decode(async () => {
        times += 1;
        throw new AudioError(code, "It fails.");
      });
    fail("internal");
    expect((await ask(person, id)).status).toBe(202);
    const refused = await eventually(
      () => ask(person, id),
      ({ status }) => status !== 202,
    );
    expect([await refusal(refused), times]).toEqual(["404 notFound", 1]);
    clock.advance(10 * 60 * 1000);
    fail("notAudio");
    expect([(await made(person, id)).levels.length, times]).toEqual([0, 2]);
    await made(person, id);
    expect(times).toBe(2);
  });

  test("leaves no waveform of an audio that is erased meanwhile, and makes none without audio", async () => {
    const { server, person, old, file, decode } = await begin();
    const id = await old();
    const erased = Promise.withResolvers<void>();
    decode(async (source, options) => {
      const decoded = await plainDecode(source, options);
      await person.call("DELETE", `/audio/remove-transcription/${id}`);
      await person.call("POST", `${base}/trash/erase`, { ids: [id] });
      await server.sweep();
      erased.resolve();
      return decoded;
    });
    await ask(person, id);
    await erased.promise;
    decode(plainDecode);
    // The next waveform begins after the previous one has ended.
    await made(person, await old());
    expect(existsSync(file(id))).toBe(false);
    expect(await refusal(await ask(person, (await save(person)).id))).toBe("404 notFound");
  });

  test("makes a conversation's waveform again when a turn is added or deleted", async () => {
    const { server, person } = await begin();
    const conversation = talk(server, person);
    const { id } = await conversation.save(await conversation.record(1, 9_000), 1, { ...here, segments: [say("one", "uno", 1)] });
    const pairs = async () => (await made(person, id)).levels.length / 2;
    expect(await pairs()).toBe(25);
    const second = await conversation.record(2, 9_000);
    await conversation.save(second, 2, { ...here, segments: [say("two", "dos", 2)] });
    expect(await pairs()).toBe(75);
    await conversation.remove(second);
    expect(await pairs()).toBe(25);
  });
});
