import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Segment } from "#contract/index.ts";
import { trialText } from "#server/speech/trial.ts";
import { joinBytes, pcmRate } from "#speech/bytes.ts";
import { wordErrors, wordsOf } from "#speech/word-errors.ts";
import type { StreamListener } from "#src/audio/recognise/live.ts";
import { openRecogniser, type Recogniser, type RecogniserFile } from "#src/audio/recognise/recogniser.ts";
import { marketText, microphoneText, talkSentences } from "#tests/fixtures/audio/texts.ts";
import { pcmOf, recogniserFile, recording, wavOf } from "./harness-files.ts";

let recogniser: Recogniser;
beforeAll(async () => {
  recogniser = await openRecogniser(recogniserFile);
});
afterAll(() => recogniser.close());

const textOf = (segments: readonly Segment[]) => segments.map(({ text }) => text).join(" ");
const secondsOf = (pcm: Uint8Array) => pcm.length / 2 / pcmRate;

function transcribe(sound: Blob, signal = new AbortController().signal) {
  const marks: number[] = [];
  const onProgress = (fraction: number) => void marks.push(fraction);
  return { marks, segments: recogniser.transcribe(sound, { onProgress, signal }) };
}

describe("recognition of a recording", () => {
  it("recognizes a recording piece by piece, with progress and times", async () => {
    const parts = await Promise.all(["jfk.wav", "talk.wav", "market.wav"].map(pcmOf));
    const { marks, segments } = transcribe(wavOf(...parts));
    const recognized = await segments;
    expect(wordErrors(textOf(recognized), [trialText, ...talkSentences, marketText].join(" ")).errors).toBe(0);
    expect(marks.length).toBeGreaterThan(2);
    expect(marks).toEqual(marks.toSorted((a, b) => a - b));
    expect(marks.at(-1)).toBe(1);
    const words = recognized.flatMap((segment) => segment.words);
    expect(words).toEqual(words.toSorted((a, b) => a.start - b.start));
    expect(words.find(({ text }) => text === "bridge")?.start).toBeCloseTo(11 + 23.9, 0);
    expect(words.at(-1)?.end).toBeLessThanOrEqual(secondsOf(joinBytes(parts)));
  });

  it("the recognizer on the device accepts another sample rate", async () => {
    const { segments } = transcribe(await recording("microphone.wav"));
    expect(wordsOf(textOf(await segments))).toEqual(wordsOf(microphoneText));
  });

  const tones = (frequencies: readonly number[], seconds: number) => {
    const samples = Int16Array.from({ length: seconds * pcmRate }, (_, at) =>
      frequencies.reduce((sum, hertz) => sum + 5_000 * Math.sin((2 * Math.PI * hertz * at) / pcmRate), 0),
    );
    return new Uint8Array(samples.buffer);
  };
  it.each([
    ["silence", async () => new Uint8Array(5 * 2 * pcmRate)],
    ["pink noise", async () => joinBytes(Array(6).fill(await pcmOf("noise.wav")))],
    ["a tone", () => pcmOf("tone.wav")],
    ["music", async () => joinBytes([tones([262, 330, 392], 2), tones([294, 349, 440], 2), tones([247, 294, 392], 2)])],
    ["nothing", async () => new Uint8Array(0)],
  ])("finds no words in %s", async (_, pcm) => {
    expect(await transcribe(wavOf(await pcm())).segments).toEqual([]);
  });

  it("recognition on the device stops between two pieces when aborted", async () => {
    const aborting = new AbortController();
    const { marks, segments } = transcribe(wavOf(await pcmOf("talk.wav")), aborting.signal);
    aborting.abort(new Error("No longer wanted"));
    await expect(segments).rejects.toThrow("No longer wanted");
    expect(marks).toEqual([]);
  });

  it.each(["not-audio.mp3", "empty.wav", "video-without-sound.mp4", "market.webm"])(
    "reports that it can't decode %s here",
    async (name) => {
      await expect(transcribe(await recording(name)).segments).rejects.toMatchObject({ code: "cantDecode" });
    },
  );
});

describe("live recognition", () => {
  function listen() {
    const told: string[] = [];
    const errors: Error[] = [];
    const listener: StreamListener = {
      onInterim: (text) => void told.push(`… ${text}`),
      onFinal: ({ text }) => void told.push(text),
      onSlow: () => void told.push("slow"),
      onError: (error) => void errors.push(error),
    };
    return { told, errors, stream: recogniser.openStream(listener) };
  }

  it("gives words live, and finally the same as for a recording", async () => {
    const pcm = joinBytes([await pcmOf("market.wav"), new Uint8Array(pcmRate * 2)]);
    const { told, errors, stream } = listen();
    stream.write(pcm.slice(0, pcmRate * 2));
    await vi.waitUntil(() => told.some((text) => text.startsWith("…")), { timeout: 30_000 });
    stream.write(pcm.slice(pcmRate * 2));
    const segments = await stream.end();
    expect(told.length).toBeGreaterThan(1);
    expect(told[0]).toMatch(/^… /);
    expect(told.findLast((text) => text !== "slow")).toBe(marketText);
    expect(segments).toMatchObject([{ text: marketText }]);
    const [recorded] = await transcribe(wavOf(pcm)).segments;
    expect(segments[0]?.start).toBeCloseTo(recorded?.start ?? Number.NaN, 1);
    expect(errors).toEqual([]);
  });

  it("gives no words for noise or after an abort", async () => {
    const left = listen();
    left.stream.write(await pcmOf("market.wav"));
    left.stream.close();
    left.stream.write(await pcmOf("market.wav"));
    // The worker recognizes in order, so results of the closed stream would arrive before this one ends.
    const noise = listen();
    noise.stream.write(joinBytes(Array(3).fill(await pcmOf("noise.wav"))));
    expect(await noise.stream.end()).toEqual([]);
    expect([noise.told, noise.errors, left.told, left.errors]).toEqual([[], [], [], []]);
  });

  it("fails when audio arrives faster than it can be recognized", async () => {
    const { errors, stream } = listen();
    const talk = await pcmOf("talk.wav");
    for (let times = 0; times < 3; times += 1) stream.write(talk.slice());
    expect(errors).toMatchObject([{ code: "fellBehind" }]);
    await expect(stream.end()).rejects.toMatchObject({ code: "fellBehind" });
  });
});

it.each(["encoder", "decoder", "tokens", "silero"] as const)("reports a broken model file: %s", async (name) => {
  const cutShort = async (file: RecogniserFile) => {
    const whole = await recogniserFile(file);
    return file === name ? whole.slice(0, whole.length / 2) : whole;
  };
  await expect(openRecogniser(cutShort)).rejects.toMatchObject({ code: "brokenModel" });
});
