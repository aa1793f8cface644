import { describe, expect, it, vi } from "vitest";
import type { Segment } from "#contract/index.ts";
import { recognizeWithRetry } from "#speech/recognize-with-retry.ts";
import { spreadWords } from "#speech/spread.ts";
import { spokenIn, type Voice } from "#speech/voice.ts";
import { segmentsFrom } from "#speech/words.ts";
import { silence, voice } from "./sound.ts";

/** A voice that speaks twice with a second between. @param seconds length of each part */
function spokenTwice(seconds: number): Voice {
  const pcm = Buffer.concat([voice(seconds, -20), silence(1), voice(seconds, -20)]);
  const spoken = [
    { start: 0, end: seconds },
    { start: seconds + 1, end: 2 * seconds + 1 },
  ];
  return { pcm, offset: 10, durationSeconds: 2 * seconds + 1, spoken };
}

const textOf = (segments: readonly Segment[]) => segments.map(({ text }) => text).join(" ");

/** Answers with one text after the other. @returns the recognized text and the seconds of voice of each request */
async function recognized(sound: Voice, texts: readonly string[], mayLoop = true) {
  const left = [...texts];
  const asked: number[] = [];
  const onNotUnderstood = vi.fn<() => void>();
  const recognize = async (part: Voice) => {
    asked.push(Number(spokenIn(part).toFixed(1)));
    return segmentsFrom(
      spreadWords(
        left.shift() ?? "",
        part.spoken.map((span) => ({ start: span.start + part.offset, end: span.end + part.offset })),
      ),
    );
  };
  const segments = await recognizeWithRetry(sound, recognize, { mayLoop, onNotUnderstood });
  return { segments, text: textOf(segments), asked, lost: onNotUnderstood.mock.calls.length };
}

describe("a text that loops", () => {
  const looping = `It was the string of hope. ${"It was the string of hope. ".repeat(3)}`.trim();

  it("recognizes a looping text again with slightly shorter audio", async () => {
    const { text, asked } = await recognized(spokenTwice(1), [looping, "It was the spring of hope."]);
    expect(text).toBe("It was the spring of hope.");
    expect(asked).toEqual([2, 1.6]);
  });

  it("cuts a looping text, between words or within one, when a retry doesn't help", async () => {
    expect((await recognized(spokenTwice(1), [looping, looping])).text).toBe("It was the string of hope.");
    const incredulous = `the epoch of incred${"ul".repeat(40)}`;
    expect((await recognized(spokenTwice(1), [incredulous, incredulous])).text).toBe("the epoch of incredul");
  });

  it("keeps repeated words when there is time to say them or the engine can't loop", async () => {
    const refrain = "row row row your boat row row row your boat";
    expect((await recognized(spokenTwice(2), [refrain])).text).toBe(refrain);
    expect((await recognized(spokenTwice(0.5), [refrain], false)).text).toBe(refrain);
  });
});

describe("a text for almost silent audio", () => {
  it("drops phrases that engines invent when almost nobody speaks", async () => {
    const breath = { ...spokenTwice(1), spoken: [{ start: 0, end: 0.1 }] };
    expect((await recognized(breath, ["Thank you."])).segments).toEqual([]);
    expect((await recognized(breath, ["You"])).segments).toEqual([]);
    expect((await recognized(breath, ["Stop!"])).text).toBe("Stop!");
    expect((await recognized(spokenTwice(0.5), ["Thank you."])).text).toBe("Thank you.");
  });
});

describe("a voice without a text", () => {
  it("recognizes an empty result again in two halves, cut at the pause", async () => {
    const { text, asked, lost } = await recognized(spokenTwice(2), ["", "Hello", "there"]);
    expect([text, lost]).toEqual(["Hello there", 0]);
    expect(asked).toEqual([4, 2, 2]);
  });

  it("marks a part as not understood when the retry doesn't help", async () => {
    const { segments, lost } = await recognized(spokenTwice(2), ["", "Hello"]);
    expect(lost).toBe(1);
    expect(segments.at(-1)).toMatchObject({ text: "[…]", start: 13, end: 15, words: [{ text: "[…]", confidence: 0 }] });
  });

  it("takes a short sound without text for a cough", async () => {
    const { segments, asked, lost } = await recognized(spokenTwice(0.5), [""]);
    expect([segments, asked.length, lost]).toEqual([[], 1, 0]);
  });
});
