import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Segment } from "#contract/index.ts";
import type { SpeechEngine } from "#server/speech/engine.ts";
import { openEngines, type SpeechEngines } from "#server/speech/index.ts";
import { trialPcm, trialText } from "#server/speech/trial.ts";
import { pcmRate } from "#speech/bytes.ts";
import type { StreamEvent } from "#speech/stream.ts";
import { wordErrors } from "#speech/word-errors.ts";
import { until } from "#tests/fixtures/until.ts";
import { austenPcm, austenText } from "#tests/fixtures/voices/austen.ts";
import { chunked, noise, silence, sound } from "./sound.ts";

// The built-in model and Silero, both real, with real voices.

let engines: SpeechEngines;
let engine: SpeechEngine;
beforeAll(async () => {
  engines = await openEngines({ dataDir: "/nowhere", parallel: 1 });
  const choice = engines.forLanguage("en", "files");
  if (choice === undefined) throw new Error("Nothing recognizes English.");
  engine = choice.engine;
});
afterAll(() => engines.close());

const textOf = (segments: readonly Segment[]) => segments.map(({ text }) => text).join(" ");
const transcribed = (pcm: Buffer) => engine.transcribe(pcm, { language: "en" });

/** @param meanwhile awaited after the first four seconds */
async function dictated(
  pcm: Buffer,
  meanwhile = async (_: readonly StreamEvent[]): Promise<void> => undefined,
): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  const stream = await engine.openStream({
    person: "ann",
    language: "en",
    onEvent: (event) => events.push(event),
    onError: (error) => {
      throw error;
    },
  });
  for (const [at, chunk] of chunked(pcm, [3_200]).entries()) {
    await stream.write(chunk);
    if (at === 20) await meanwhile(events);
  }
  await stream.end();
  return events;
}
const finalsOf = (events: readonly StreamEvent[]) => events.flatMap((event) => (event.type === "final" ? event.segment : []));

describe("the trial sentence", () => {
  it("recognizes a file with punctuation and with each word at its time", async () => {
    const segments = await transcribed(await trialPcm());
    expect(wordErrors(textOf(segments), trialText).errors).toBe(0);
    expect(textOf(segments)).toMatch(/^And so my fellow Americans,? ask not what .* for you, ask what .* country\.$/);
    const starts = segments.flatMap(({ words }) => words).flatMap(({ text, start }) => (/^(ask|what)$/.test(text) ? start : []));
    const errors = [3.3, 5.4, 8.2].map((time, at) => Math.abs((starts[at] ?? 0) - time));
    expect(Math.max(...errors)).toBeLessThanOrEqual(0.25);
  });
});

describe("a reading of 25 seconds without a pause", () => {
  it("recognizes a long reading from a file with at most 6 % word errors", async () => {
    expect(wordErrors(textOf(await transcribed(await austenPcm())), austenText).percent).toBeLessThanOrEqual(6);
  });

  it("recognizes a dictated reading with at most 12 % word errors and shows first words early", async () => {
    const isBegun = (events: readonly StreamEvent[]) =>
      until(() => expect(events[0]).toMatchObject({ type: "partial", text: expect.stringMatching(/^And/) }));
    const events = await dictated(await austenPcm(), async (said) => void (await isBegun(said)));
    expect(wordErrors(textOf(finalsOf(events)), austenText).percent).toBeLessThanOrEqual(12);
  });
});

describe("sound without speech", () => {
  const seconds = 12;
  const tone = (hertz: number, time: number) => Math.sin(2 * Math.PI * hertz * time);
  /** Loudness of a sound that starts `perSecond` times a second and decays. */
  const struck = (time: number, perSecond: number) => Math.exp(-8 * ((time * perSecond) % 1));
  const noisy = noise(seconds, -12);
  const noiseAt = (time: number) => noisy.readInt16LE(Math.round(time * pcmRate) * 2) / 32_768;
  const melody = [262, 294, 330, 392, 440, 392, 330, 294];
  const sounds: [string, Buffer][] = [
    ["silence", silence(seconds)],
    ["noise", noise(seconds, -25)],
    [
      "music",
      sound(seconds, (time) => {
        const note = melody[Math.floor(time * 2) % melody.length] ?? 0;
        const chord = tone(131, time) + tone(165, time) + tone(196, time);
        return (
          0.1 * chord +
          0.2 * struck(time, 2) * (tone(note, time) + 0.5 * tone(2 * note, time)) +
          0.2 * struck(time, 4) ** 6 * noiseAt(time)
        );
      }),
    ],
    ["breath", sound(seconds, (time) => 0.3 * Math.max(0, Math.sin(1.6 * time)) ** 2 * noiseAt(time))],
    ["a keyboard", sound(seconds, (time) => struck(time + 0.06 * Math.sin(7 * time), 5) ** 8 * noiseAt(time))],
  ];

  it.each(sounds)("the built-in model gives no text for %s", async (_, pcm) => {
    expect(textOf(await transcribed(pcm))).toBe("");
    expect(await dictated(pcm)).toEqual([]);
  });
});
