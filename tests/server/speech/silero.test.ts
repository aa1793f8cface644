import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSilero } from "#server/speech/silero/silero.ts";
import { trialPcm } from "#server/speech/trial.ts";
import { GuidedDetector } from "#speech/guided-detector.ts";
import type { StreamEvent } from "#speech/stream.ts";
import { openUtteranceStream } from "#speech/utterance-stream.ts";
import { utteranceEnd } from "#speech/utterances.ts";
import { levelsOf } from "#speech/vad.ts";
import { findVoice } from "#speech/voice.ts";
import { sileroWindow, type VoiceActivity } from "#speech/voice-activity.ts";
import { chunked, fixturePcm, mixed, noise, silence, sound, voice } from "./sound.ts";

let silero: VoiceActivity;
beforeAll(() => {
  silero = openSilero({ parallel: 1 });
});
afterAll(() => silero.close());

const talk = fixturePcm("talk.wav");
const seconds = (pcm: Uint8Array) => pcm.length / 2 / 16_000;
const softer = (pcm: Buffer, by: number) => {
  const quiet = Buffer.alloc(pcm.length);
  for (let at = 0; at < pcm.length; at += 2) quiet.writeInt16LE(Math.round(pcm.readInt16LE(at) * 10 ** (by / 20)), at);
  return quiet;
};
const hum = (length: number, level: number) =>
  sound(length, (time) => level * (Math.sin(2 * Math.PI * 50 * time) + 0.5 * Math.sin(2 * Math.PI * 100 * time)));
/** Pink noise of the given length at -20 dBFS plus a gain. */
const pink = (length: number, gain: number) => {
  const once = fixturePcm("noise.wav");
  const often = Buffer.concat(Array.from({ length: Math.ceil((length * 32_000) / once.length) }, () => once));
  return softer(often.subarray(0, Math.round(length * 16_000) * 2), gain);
};

async function windowsOf(pcm: Buffer): Promise<string> {
  const windows = await silero.windows(pcm);
  if (windows === undefined) throw new Error("Silero does not run here.");
  return windows;
}

/** Seconds of loud sound in the clean recording with no detected voice within a third of a second. */
function missed(clean: Buffer, windows: string): number {
  const near = (frame: number) => {
    const at = Math.floor((frame * 320) / sileroWindow);
    return windows.slice(Math.max(0, at - 10), at + 11).includes("1");
  };
  return levelsOf(clean).filter((level, frame) => level > -45 && !near(frame)).length / 50;
}

describe("Silero", () => {
  it.each([
    ["silence", silence(5)],
    ["pink noise", pink(20, 0)],
    ["white noise", noise(10, -30)],
    ["hum", hum(20, 0.2)],
    ["a tone", fixturePcm("tone.wav")],
  ])("detects no voice in %s", async (_, pcm) => {
    expect(await windowsOf(pcm)).not.toContain("1");
  });

  it.each([
    ["clean", talk],
    ["soft", softer(talk, -30)],
    ["with hum", mixed(talk, hum(seconds(talk), 0.05))],
    ["with pink noise", mixed(talk, pink(seconds(talk), 8))],
  ])("detects every word of eight sentences: %s", async (_, pcm) => {
    const windows = await windowsOf(pcm);
    expect(missed(talk, windows)).toBe(0);
    expect(windows.match(/1+/g)?.length).toBeGreaterThanOrEqual(8);
    // Pauses are no voice: 27 s contain 18 s of words.
    expect((windows.replaceAll("0", "").length * sileroWindow) / 16_000).toBeLessThan(21);
  });

  it("detects a real voice", async () => {
    expect(missed(softer(await trialPcm(), -10), await windowsOf(await trialPcm()))).toBeLessThan(0.1);
  });

  it("finds the voice in a recording with a short margin around it", async () => {
    const found = await findVoice(Buffer.concat([noise(3, -40), fixturePcm("harbor.wav"), noise(3, -40)]), silero);
    expect(found?.offset).toBeGreaterThan(2.6);
    expect(found?.offset).toBeLessThan(4);
    expect(await findVoice(pink(10, 0), silero)).toBeUndefined();
    expect(await findVoice(Buffer.alloc(10), silero)).toBeUndefined();
  });

  it("voice detection keeps parallel streams separate", async () => {
    const [one, other] = await Promise.all([silero.open(), silero.open()]);
    const heard = { one: "", other: "" };
    for (const chunk of chunked(talk.subarray(0, 5 * 32_000), [1000, 77])) {
      heard.one += await one?.push(chunk);
      heard.other += await other?.push(Buffer.alloc(chunk.length));
    }
    expect(heard.one).toBe((await windowsOf(talk.subarray(0, 5 * 32_000))).slice(0, heard.one.length));
    expect(heard.other).toMatch(/^0+$/);
    one?.close();
    other?.close();
  });
});

it("reports the voice of each recent frame of a long stream until its windows are lost", () => {
  const digits = Array.from({ length: 2_900 }, (_, window) => (window % 7 < 3 ? "1" : "0")).join("");
  const detector = new GuidedDetector(utteranceEnd);
  detector.give(digits);
  const frames = 4_500;
  for (let frame = 0; frame < frames; frame += 1) detector.push(-20);
  const first = frames - 1_000;
  const known = Array.from({ length: 1_000 }, (_, frame) => detector.voicesFrom(first)?.(frame));
  const given = known.map((_, frame) => digits[Math.floor(((first + frame) * 320) / sileroWindow)] === "1");
  expect(known).toEqual(given);
  detector.lose();
  expect(detector.voicesFrom(first)).toBeUndefined();
});

describe("many simultaneous speakers", () => {
  const short = talk.subarray(0, 1.6 * 32_000);
  const open = async (detector: VoiceActivity) => {
    const stream = await detector.open();
    if (stream === undefined) throw new Error("There is no place.");
    return stream;
  };

  it("detects each of many streams as if it were alone, even with a reused detector", async () => {
    const want = await windowsOf(short);
    expect(want).toMatch(/01+/);
    // After the twelve, the process is a new one; the last six reuse the detectors of the six before.
    for (const length of [12, 6, 6]) {
      const streams = await Promise.all(Array.from({ length }, () => open(silero)));
      const heard = await Promise.all(
        streams.map(async (stream) => {
          let digits = "";
          for (const chunk of chunked(short, [2_560])) digits += await stream.push(chunk);
          stream.close();
          return digits;
        }),
      );
      for (const digits of heard) expect(digits).toBe(want.slice(0, digits.length));
    }
  });

  it("alternates between streams so that one that catches up doesn't delay a live one", async () => {
    const [hasty, steady] = await Promise.all([open(silero), open(silero)]);
    const counts = { hasty: 0, steady: 0 };
    const isOver = () => counts.steady >= 20;
    const catchUp = async () => {
      for (; !isOver(); counts.hasty++) await hasty.push(talk.subarray(0, 32_000));
    };
    const speak = async () => {
      for (; !isOver(); counts.steady++) await steady.push(talk.subarray(0, 2_560));
    };
    await Promise.all([catchUp(), speak()]);
    expect(counts.hasty).toBeLessThanOrEqual(21);
    hasty.close();
    steady.close();
  });

  it("refuses streams beyond the maximum until one ends", async () => {
    const small = openSilero({ parallel: 1, maxStreams: 2 });
    const [first, second] = await Promise.all([open(small), open(small)]);
    expect(await small.open()).toBeUndefined();
    first.close();
    // Closing twice counts once.
    first.close();
    const third = await open(small);
    expect(await small.open()).toBeUndefined();
    expect(await third.push(short)).toContain("1");
    second.close();
    third.close();
    await small.close();
  });

  it("replaces a process that many streams have made large", async () => {
    const own = openSilero({ parallel: 1 });
    const streams = await Promise.all(Array.from({ length: 9 }, () => open(own)));
    await Promise.all(streams.map((stream) => stream.push(short.subarray(0, 2_560))));
    for (const stream of streams) stream.close();
    await expect(streams[0]?.push(short)).rejects.toMatchObject({ code: "engineFailed" });
    const next = await open(own);
    expect(await next.push(short)).toContain("1");
    next.close();
    await own.close();
  });
});

/** The utterances that a stream finds. `endedAt` is the number of seconds written by then. */
async function utterances(pcm: Buffer, activity: VoiceActivity): Promise<{ from: number; to: number; endedAt: number }[]> {
  const found: { from: number; to: number; endedAt: number }[] = [];
  let written = 0;
  const events: StreamEvent[] = [];
  const stream = openUtteranceStream({
    activity,
    transcribe: async (utterance) => [{ start: 0, end: seconds(utterance), text: "words", words: [] }],
    interim: { begin: () => undefined, feed: async () => undefined },
    onEvent: (event) => events.push(event),
    onError: (error) => expect.fail(error.message),
  });
  for (const chunk of chunked(pcm, [1280])) {
    await stream.write(chunk);
    written += chunk.length / 32_000;
    await new Promise(setImmediate);
    for (const event of events.splice(0)) {
      if (event.type === "final") found.push({ from: event.segment.start, to: event.segment.end, endedAt: written });
    }
  }
  await stream.end();
  for (const event of events) {
    if (event.type === "final") found.push({ from: event.segment.start, to: event.segment.end, endedAt: written });
  }
  return found;
}

describe("live utterances with Silero", () => {
  it("finds the sentences and ends each as early as energy detection does in a quiet room", async () => {
    const found = await utterances(Buffer.concat([talk, silence(1)]), silero);
    const deaf: VoiceActivity = { windows: async () => undefined, open: async () => undefined, close: async () => undefined };
    const byEnergy = await utterances(Buffer.concat([talk, silence(1)]), deaf);
    expect(found).toHaveLength(6);
    expect(byEnergy).toHaveLength(6);
    for (const [at, { from, endedAt }] of found.entries()) {
      const other = byEnergy[at] ?? { from: 0, endedAt: 0 };
      expect(Math.abs(from - other.from)).toBeLessThan(0.25);
      expect(endedAt - other.endedAt).toBeLessThan(0.15);
    }
  });

  it("finds no utterances in noise and hum", async () => {
    expect(await utterances(Buffer.concat([silence(1), pink(8, 0), silence(1), hum(5, 0.2)]), silero)).toEqual([]);
  });

  it("finds utterances by energy after Silero's process has ended", async () => {
    let pushes = 0;
    const ending: VoiceActivity = {
      windows: async () => undefined,
      open: async () => ({
        push: async (pcm) => {
          pushes += 1;
          if (pushes > 5) throw new Error("ended");
          return "0".repeat(Math.floor(pcm.length / 2 / sileroWindow));
        },
        close: () => undefined,
      }),
      close: async () => undefined,
    };
    expect(
      await utterances(Buffer.concat([silence(2), voice(3, -20), silence(1), voice(1, -20), silence(1)]), ending),
    ).toHaveLength(2);
  });
});
