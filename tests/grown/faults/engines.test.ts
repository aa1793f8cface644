import * as v from "valibot";
import { expect, onTestFinished, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { SpeechError } from "#server/speech/engine.ts";
import type { SpeechEngines } from "#server/speech/engines.ts";
import { EngineChild } from "#server/speech/process/child.ts";
import { EnginePool } from "#server/speech/process/pool.ts";
import { allWords, Dictation, textOf } from "#tests/server/dictation/dictation.ts";
import { eventually, getTranscription, type Person, read, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { openScriptedStream, scriptedEngines, segment, spokenWav } from "#tests/server/jobs/scripted.ts";
import { badProgram, badScript } from "#tests/server/speech/bad-engine.ts";

// Engines hang until their time-out; each way to fail, with the engine alone: tests/server/speech/process.test.ts.

const pcmRate = 16_000;
/** Added to four times the recording's length, in ms. */
const timeoutMs = 300;

/**
 * An engine whose processes do what the script says. @param begun receives the length of each started piece in bytes
 */
function badEngines(script: string, begun: number[] = []): SpeechEngines {
  const options = { name: "Scripted", program: badProgram, args: [script], timeoutMs };
  const pool = new EnginePool({ ...options, size: 3 });
  onTestFinished(() => pool.close());
  return scriptedEngines({
    parallel: 3,
    transcribe: (pcm, { signal }) =>
      pool.use(async (child) => {
        begun.push(pcm.length);
        const heard = v.safeParse(v.string(), await child.transcribe(pcm, "en", signal));
        if (!heard.success) throw new SpeechError("engineFailed", "Scripted gave an invalid answer.");
        return [segment(heard.output, 0, pcm.length / 2 / pcmRate)];
      }),
    openStream: async (stream) => {
      const child = await EngineChild.start(options);
      const words = await openScriptedStream(stream);
      const write = async (pcm: Uint8Array) => {
        await child.feed(1, pcm);
        await words.write(pcm);
      };
      return { write, end: words.end, close: () => child.kill() };
    },
  });
}

/** Whether nothing changes until the clock moves. */
const rests = ({ status, progress }: Transcription) => status !== "processing" || progress?.stage === "waiting";

/** Waits until all have ended, and moves the clock when all that are left wait for their next attempt. */
async function allSettled(person: Person, ids: readonly string[], advance: () => void): Promise<Transcription[]> {
  for (;;) {
    const all = await eventually(
      () => Promise.all(ids.map((id) => getTranscription(person, id))),
      (found) => found.every(rests),
    );
    if (all.every(({ status }) => status === "completed" || status === "failed")) return all;
    advance();
    await eventually(
      () => Promise.all(ids.map((id) => getTranscription(person, id))),
      (found) => found.some((one) => !rests(one)) || found.every(({ status }) => status !== "processing"),
    );
  }
}

/** By the recording's length in fifths of a second; the slowest behavior has the shortest recording. */
const behaviours = [
  ["hangs", "engineTimeout"],
  ["crashes", "engineFailed"],
  ["answers garbage", "engineFailed"],
  ["complains without end", "engineFailed"],
] as const;

test("fails only the files on which an engine hangs, crashes, floods or answers garbage, and keeps their sound", async () => {
  const script = Object.fromEntries(behaviours.map(([behaviour], at) => [((at + 1) * pcmRate) / 5, behaviour]));
  const { path, change } = await badScript(script);
  let now = Date.parse("2026-03-01T12:00:00Z");
  const begun: number[] = [];
  const server = await startTestServer({ engines: badEngines(path, begun), now: () => now });
  const person = await signUp(server);
  const send = async (fifths: number) => (await read(await upload(person, spokenWav(fifths / 5)), 202, Transcription)).id;
  const advance = () => {
    now += 30_000;
  };
  // A good recording before and after the bad ones.
  const innocent = [await send(20)];
  const guilty: string[] = [];
  for (const at of behaviours.keys()) guilty.push(await send(at + 1));
  innocent.push(await send(21));

  const [first, ...rest] = await allSettled(person, [...innocent, ...guilty], advance);
  const [last, ...failed] = rest;
  expect([first?.text, last?.text]).toEqual(["heard 64000", "heard 67200"]);
  expect(failed.map(({ status, hasAudio, error }) => [status, hasAudio, error?.code])).toEqual(
    behaviours.map(([, code]) => ["failed", true, code]),
  );
  // Three attempts for each bad recording, one for each good one.
  const tries = (fifths: number) => begun.filter((bytes) => bytes === (fifths * pcmRate * 2) / 5).length;
  expect([20, 21, ...behaviours.map((_, at) => at + 1)].map(tries)).toEqual([1, 1, 3, 3, 3, 3]);
  const said = failed.map(({ error }) => error?.message);
  expect(new Set(said)).toEqual(new Set(["The speech engine took too long.", "The speech engine failed."]));

  await change({});
  for (const id of guilty)
    await read(await person.call("PUT", `/audio/remove-transcription/${id}`, { retry: true }), 200, Transcription);
  const made = await allSettled(person, guilty, advance);
  expect(made.map(({ status, text }) => [status, text])).toEqual(
    behaviours.map((_, at) => ["completed", `heard ${((at + 1) * pcmRate) / 5}`]),
  );
});

test("waits for an engine that dies at its start, and transcribes when it starts again", async () => {
  const { path, change } = await badScript({ start: "dies" });
  let now = Date.parse("2026-03-01T12:00:00Z");
  const server = await startTestServer({ engines: badEngines(path), now: () => now });
  const person = await signUp(server);
  const { id } = await read(await upload(person, spokenWav(1)), 202, Transcription);
  const advance = () => {
    now += 30_000;
  };
  const [failed] = await allSettled(person, [id], advance);
  expect(failed).toMatchObject({
    status: "failed",
    hasAudio: true,
    error: { code: "engineUnavailable", message: "The speech engine can't be reached." },
  });
  await change({});
  await read(await person.call("PUT", `/audio/remove-transcription/${id}`, { retry: true }), 200, Transcription);
  expect(await allSettled(person, [id], advance)).toMatchObject([{ status: "completed", text: "heard 16000" }]);
});

test.each(["hangs", "crashes"])(
  "stores a dictation while the engine %s, tells the person, and recognizes every word later",
  async (behaviour) => {
    const { path, change } = await badScript({ [pcmRate]: behaviour });
    const server = await startTestServer({ engines: badEngines(path) });
    const person = await signUp(server);
    const live = await Dictation.start(server.apiUrl, person.token);
    live.sendFrames(0, 20);
    await live.acked(20);
    expect(await live.next("error")).toMatchObject({ code: "engineFailed", message: "The speech engine failed." });
    expect(await live.closed).toBe(1011);
    await change({});
    const again = await Dictation.start(server.apiUrl, person.token, live.recordingId);
    again.sendFrames(20, 30);
    again.say({ type: "end", frames: 30 });
    expect(textOf((await again.next("done")).segments)).toBe(allWords(6));
  },
);
