import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SpeechEngine, StreamEvent } from "#server/speech/engine.ts";
import { openPocketSphinx } from "#server/speech/pocketsphinx/engine.ts";
import { harborText, marketText, microphoneText, talkSentences } from "#tests/fixtures/audio/texts.ts";
import { chunked, decoded, fixturePcm, mixed, noise, silence, sound, voice, wordsIn } from "./sound.ts";

const scripted = fileURLToPath(new URL("./programs/scripted-engine.ts", import.meta.url));

let engine: SpeechEngine;
beforeAll(async () => {
  engine = await openPocketSphinx({ parallel: 2 });
});
afterAll(() => engine.close());

async function heard(pcm: Buffer): Promise<string[]> {
  const segments = await engine.transcribe(pcm, { language: "en" });
  return segments.flatMap((segment) => wordsIn(segment.text));
}

describe("recordings", () => {
  it("is installed here and hears English", () => {
    expect(engine).toMatchObject({ unavailable: undefined, languages: ["en"], offline: true, parallel: 2 });
  });

  it("words have the time and the segment in which they were said", async () => {
    const pcm = Buffer.concat([silence(5), fixturePcm("talk.wav")]);
    const segments = await engine.transcribe(pcm, { language: "en" });
    // Pauses of 0.35 s and more part them; 0.3 s and what flite leaves may not.
    expect(segments.length).toBeGreaterThanOrEqual(6);
    expect(segments.flatMap((segment) => wordsIn(segment.text))).toEqual(talkSentences.flatMap(wordsIn));
    const words = segments.flatMap((segment) => segment.words);
    expect(words[0]?.start).toBeGreaterThan(5);
    expect(words[0]?.start).toBeLessThan(5.4);
    let before = 0;
    for (const { start, end, confidence } of words) {
      expect(start).toBeGreaterThanOrEqual(before);
      expect(end).toBeGreaterThan(start);
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(1);
      before = start;
    }
    for (const segment of segments) {
      expect(segment.text).toBe(segment.words.map(({ text }) => text).join(" "));
      expect(segment.text).toMatch(/^[A-Z]/);
      expect(segment.words[0]?.start).toBe(segment.start);
    }
    expect(segments.some(({ text }) => text.startsWith("I think we"))).toBe(true);
  });

  it.each([
    ["silence", () => fixturePcm("silent.wav")],
    ["noise", () => fixturePcm("noise.wav")],
    ["a tone", () => fixturePcm("tone.wav")],
    ["nothing", () => Buffer.alloc(0)],
    [
      "one click",
      () =>
        mixed(
          silence(2),
          sound(2, (time) => (time === 1 ? 1 : 0)),
        ),
    ],
  ])("no words are invented in %s", async (_, pcm) => {
    expect(await engine.transcribe(pcm(), { language: "en" })).toEqual([]);
  });

  it("loud and quiet speech are both heard", async () => {
    const pcm = fixturePcm("harbor.wav");
    const quiet = Buffer.from(pcm);
    for (let at = 0; at < quiet.length; at += 2) quiet.writeInt16LE(Math.round(quiet.readInt16LE(at) / 12), at);
    expect((await heard(mixed(quiet, noise(12, -72)))).length).toBeGreaterThan(wordsIn(harborText).length * 0.8);
  });

  it("pieces are recognised side by side, each with its own words", async () => {
    const [first, second] = await Promise.all([heard(fixturePcm("market.wav")), heard(await decoded("microphone.wav"))]);
    expect(first).toEqual(wordsIn(marketText));
    expect(second).toEqual(wordsIn(microphoneText));
  });

  it("can be cancelled, and work goes on for the others", async () => {
    const stopping = new AbortController();
    const asked = engine.transcribe(fixturePcm("talk.wav"), { language: "en", signal: stopping.signal });
    const other = heard(fixturePcm("market.wav"));
    stopping.abort(new Error("cancelled"));
    await expect(asked).rejects.toThrow("cancelled");
    expect(await other).toEqual(wordsIn(marketText));
  });
});

describe("dictation", () => {
  async function dictated(pcm: Buffer): Promise<StreamEvent[]> {
    const events: StreamEvent[] = [];
    const errors: Error[] = [];
    const stream = await engine.openStream({
      language: "en",
      onEvent: (event) => events.push(event),
      onError: (error) => errors.push(error),
    });
    for (const chunk of chunked(pcm, [3200])) await stream.write(chunk);
    await stream.end();
    stream.close();
    expect(errors).toEqual([]);
    return events;
  }
  const finals = (events: StreamEvent[]) => events.flatMap((event) => (event.type === "final" ? [event.segment] : []));

  it("gives every word that is said", async () => {
    const events = await dictated(Buffer.concat([silence(2), fixturePcm("talk.wav"), silence(1)]));
    expect(finals(events).flatMap(({ text }) => wordsIn(text))).toEqual(talkSentences.flatMap(wordsIn));
    let end = 0;
    for (const segment of finals(events)) {
      expect(segment.start).toBeGreaterThanOrEqual(end);
      end = segment.end;
    }
    expect(finals(events)[0]?.start).toBeGreaterThan(2);
    expect(end).toBeLessThan(29.2);
  });

  it("shows interim text while somebody speaks", async () => {
    const interim = Promise.withResolvers<StreamEvent>();
    const events: StreamEvent[] = [];
    const onEvent = (event: StreamEvent) => {
      events.push(event);
      if (event.type === "partial" && wordsIn(event.text).length >= 3) interim.resolve(event);
    };
    const stream = await engine.openStream({ language: "en", onEvent, onError: interim.reject });
    // "Nobody knew what would happen next.", of which this is the most.
    await stream.write(Buffer.concat([silence(1), fixturePcm("talk.wav").subarray(0, 32_000 * 1.8)]));
    const shown = await interim.promise;
    expect(events).not.toContainEqual(expect.objectContaining({ type: "final" }));
    expect(shown).toMatchObject({ text: expect.stringMatching(/^Nobody knew/), start: expect.closeTo(0.8, 0) });
    stream.close();
    await expect(stream.write(silence(1))).rejects.toThrow("closed");
  });

  it("says nothing when nobody speaks", async () => {
    expect(await dictated(Buffer.concat([silence(2), noise(2, -60), silence(1)]))).toEqual([]);
  });

  it("several people dictate at the same time", async () => {
    const both = await Promise.all([dictated(fixturePcm("market.wav")), dictated(await decoded("microphone.wav"))]);
    const [market, microphone] = both.map((events) => finals(events).flatMap(({ text }) => wordsIn(text)));
    expect(market).toEqual(wordsIn(marketText));
    expect(microphone).toEqual(wordsIn(microphoneText));
  });
});

describe("when something is missing or broken", () => {
  it("says what to install when there is no model", async () => {
    const without = await openPocketSphinx({ parallel: 1, folders: ["/nowhere/model"] });
    expect(without.unavailable).toContain("apt-get install pocketsphinx-en-us");
    expect(without.fault).toBe("missing");
    await expect(without.transcribe(voice(1, -20), { language: "en" })).rejects.toMatchObject({ code: "engineUnavailable" });
    const options = { language: "en", onEvent: () => undefined, onError: () => undefined } as const;
    await expect(without.openStream(options)).rejects.toMatchObject({ code: "engineUnavailable" });
  });

  it("a process that crashes or talks nonsense is a failure of that piece alone", async () => {
    // Given a model folder where it expects its behaviour, the scripted program answers with something that is no list of words.
    const odd = await openPocketSphinx({ parallel: 1, program: scripted });
    await expect(odd.transcribe(voice(1, -20), { language: "en" })).rejects.toMatchObject({ code: "engineFailed" });
    await expect(odd.transcribe(voice(1, -20), { language: "en" })).rejects.toMatchObject({ code: "engineFailed" });
    await odd.close();
  });

  it("a program that does not start leaves the stream unopened", async () => {
    const absent = await openPocketSphinx({ parallel: 1, program: "/nowhere/decoder.ts" });
    const options = { language: "en", onEvent: () => undefined, onError: () => undefined } as const;
    await expect(absent.openStream(options)).rejects.toMatchObject({ code: "engineUnavailable" });
    await absent.close();
  });
});
