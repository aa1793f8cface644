import { describe, expect, it, vi } from "vitest";
import type { Segment } from "#contract/index.ts";
import { SpeechError } from "#server/speech/engine.ts";
import { repeatedRecognition } from "#speech/repeated-recognition.ts";
import type { StreamEvent } from "#speech/stream.ts";
import { type Interim, openUtteranceStream, type UtteranceStreamOptions } from "#speech/utterance-stream.ts";
import { UtteranceCutter, type UtteranceEvent } from "#speech/utterances.ts";
import type { Voice } from "#speech/voice.ts";
import { chunked, fixturePcm, silence, voice } from "./sound.ts";

function events(pcm: Buffer, sizes: readonly number[]): UtteranceEvent[] {
  const cutter = new UtteranceCutter();
  return [...chunked(pcm, sizes).flatMap((chunk) => cutter.push(chunk)), ...cutter.finish()];
}

const ends = (all: UtteranceEvent[]) => all.flatMap((event) => (event.type === "end" ? [event] : []));
const secondsOf = (pcm: Uint8Array) => pcm.length / 2 / 16_000;

const twoSentences = Buffer.concat([silence(1), voice(2.5, -20), silence(1.5), voice(3, -20), silence(1)]);

describe("UtteranceCutter", () => {
  it("starts an utterance shortly before the voice and ends it 0.6 s after", () => {
    const [first, second, ...others] = ends(events(twoSentences, [3200]));
    expect(others).toEqual([]);
    expect((first?.startSample ?? 0) / 16_000).toBeCloseTo(0.7, 0);
    expect(secondsOf(first?.pcm ?? Buffer.alloc(0))).toBeCloseTo(3.4, 0);
    expect((second?.startSample ?? 0) / 16_000).toBeCloseTo(4.7, 0);
  });

  it("continues a short utterance after a short pause, since alone it would be recognized poorly", () => {
    const said = (pause: number) => Buffer.concat([silence(1), voice(1, -20), silence(pause), voice(2, -20), silence(2)]);
    expect(ends(events(said(1.2), [3200]))).toHaveLength(1);
    expect(ends(events(said(1.5), [3200]))).toHaveLength(2);
  });

  it("keeps the exact samples of each utterance", () => {
    for (const { startSample, pcm } of ends(events(twoSentences, [3200]))) {
      expect(twoSentences.subarray(startSample * 2, startSample * 2 + pcm.length).equals(pcm)).toBe(true);
    }
  });

  it("cuts the same utterances whatever the chunk sizes", () => {
    const talk = fixturePcm("talk.wav");
    expect(ends(events(talk, [17, 3200, 901]))).toEqual(ends(events(talk, [64_000])));
  });

  it("emits all of an utterance while it runs", () => {
    let emitted: Uint8Array[] = [];
    for (const event of events(twoSentences, [3200])) {
      if (event.type === "begin") emitted = [];
      else if (event.type === "more") emitted.push(event.pcm);
      else if (event.type === "end") expect(Buffer.concat(emitted).subarray(0, event.pcm.length).equals(event.pcm)).toBe(true);
    }
  });

  it("splits an utterance after 20 s at the best pause without losing a sample", () => {
    const pcm = Buffer.concat([voice(13, -20), silence(0.3), voice(25, -20)]);
    const parts = ends(events(pcm, [3200]));
    expect(secondsOf(parts[0]?.pcm ?? Buffer.alloc(0))).toBeCloseTo(13.15, 1);
    expect(parts.map((part) => part.startSample * 2)).toEqual(
      parts.map((_, at) => parts.slice(0, at).reduce((sum, part) => sum + part.pcm.length, 0)),
    );
    expect(Buffer.concat(parts.map((part) => part.pcm)).equals(pcm)).toBe(true);
  });

  it("finds no utterances in silence", () => {
    expect(events(silence(5), [3200])).toEqual([]);
  });
});

function segment(text: string, pcm: Uint8Array): Segment {
  const end = secondsOf(pcm);
  return { start: 0, end, text, words: [{ text, start: 0, end }] };
}

/** A stream over an engine whose answers the test controls. */
function stream(own: Partial<UtteranceStreamOptions> = {}) {
  const said: StreamEvent[] = [];
  const errors: Error[] = [];
  let closed = 0;
  const opened = openUtteranceStream({
    transcribe: async (pcm) => [segment("words", pcm)],
    interim: { begin: () => undefined, feed: async () => undefined },
    onEvent: (event) => said.push(event),
    onError: (error) => errors.push(error),
    onClose: () => {
      closed += 1;
    },
    ...own,
  });
  return { opened, said, errors, closed: () => closed };
}

const finals = (said: StreamEvent[]) => said.flatMap((event) => (event.type === "final" ? [event.segment] : []));

describe("openUtteranceStream", () => {
  it("emits final segments in order with times of the stream", async () => {
    let count = 0;
    const { opened, said, closed } = stream({
      // The first answer arrives last.
      transcribe: async (pcm) => {
        count += 1;
        const name = `utterance ${count}`;
        for (let turn = 0; turn < (count === 1 ? 20 : 1); turn += 1) await new Promise(setImmediate);
        return [segment(name, pcm)];
      },
    });
    for (const chunk of chunked(twoSentences, [3200])) await opened.write(chunk);
    await opened.end();
    expect(finals(said).map(({ text }) => text)).toEqual(["utterance 1", "utterance 2"]);
    expect(finals(said)[1]?.start).toBeCloseTo(4.2, 0);
    expect(finals(said)[1]?.words[0]?.start).toBe(finals(said)[1]?.start);
    expect(closed()).toBe(1);
  });

  it("shows interim text only behind the last final text and withdraws text of non-speech", async () => {
    const { opened, said } = stream({
      transcribe: async () => [],
      interim: { begin: () => undefined, feed: async () => ({ text: "hello" }) },
    });
    for (const chunk of chunked(twoSentences, [3200])) await opened.write(chunk);
    await opened.end();
    const texts = said.map((event) => (event.type === "partial" ? event.text : "final"));
    expect(texts[0]).toBe("hello");
    expect(texts[1]).toBe("");
    expect(finals(said)).toEqual([]);
  });

  it("stops taking sound while the engine is far behind", async () => {
    const going = Promise.withResolvers<void>();
    const { opened, said } = stream({
      transcribe: async (pcm) => {
        await going.promise;
        return [segment("words", pcm)];
      },
    });
    let isTaken = false;
    const minute = Buffer.concat(Array.from({ length: 12 }, () => [voice(4, -20), silence(1)]).flat());
    const writing = opened.write(minute).then(() => {
      isTaken = true;
    });
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    expect(isTaken).toBe(false);
    going.resolve();
    await writing;
    await opened.end();
    expect(finals(said)).toHaveLength(12);
  });

  it("reports a failure once and refuses further sound", async () => {
    const failure = new SpeechError("engineFailed", "broken");
    const { opened, said, errors, closed } = stream({ transcribe: () => Promise.reject(failure) });
    await opened.write(twoSentences);
    await expect(opened.end()).rejects.toBe(failure);
    await expect(opened.write(silence(1))).rejects.toBe(failure);
    expect(errors).toEqual([failure]);
    expect(said).toEqual([]);
    expect(closed()).toBe(1);
  });

  it("stays silent after it is closed, even twice", async () => {
    const began = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const { opened, said, errors, closed } = stream({
      transcribe: (_, signal) =>
        new Promise((_resolve, reject) => {
          began.resolve();
          signal.addEventListener("abort", () => {
            aborted.resolve();
            reject(signal.reason);
          });
        }),
    });
    await opened.write(twoSentences);
    await began.promise;
    opened.close();
    opened.close();
    await aborted.promise;
    await expect(opened.write(silence(1))).rejects.toThrow("closed");
    expect([said, errors, closed()]).toEqual([[], [], 1]);
  });
});

/** A voice that speaks all the time, or until a time (seconds). */
const spokenTo =
  (until = Number.POSITIVE_INFINITY) =>
  (pcm: Uint8Array): Voice => {
    const durationSeconds = Math.min(secondsOf(pcm), until);
    return { pcm, offset: 0, durationSeconds, spoken: [{ start: 0, end: durationSeconds }] };
  };

describe("repeatedRecognition", () => {
  it("recognizes the whole utterance again every 0.2 seconds, with 0.2 seconds of silence appended", async () => {
    const asked: number[] = [];
    const interim = repeatedRecognition(spokenTo(), async ({ pcm }) => {
      asked.push(secondsOf(pcm));
      return [segment(`${asked.length}`, pcm)];
    });
    interim.begin();
    const { signal } = new AbortController();
    const texts: (string | undefined)[] = [];
    for (const chunk of chunked(voice(0.4, -20), [1_600])) texts.push((await interim.feed(chunk, signal))?.text);
    expect(asked).toEqual([0.4, 0.6]);
    expect(texts).toEqual([undefined, "1", undefined, "2"]);
    interim.begin();
    await interim.feed(voice(0.2, -20), signal);
    expect(asked).toEqual([0.4, 0.6, 0.4]);
  });

  it("keeps the words that two passes agree on, whatever later passes say", async () => {
    const passes = ["Please", "please call", "Please call", "Please, calm the", "Please call me back", "Pl"];
    const interim = repeatedRecognition(spokenTo(), async ({ pcm }) => [segment(passes.shift() ?? "", pcm)]);
    interim.begin();
    const shown: (Interim | undefined)[] = [];
    for (let pass = 0; pass < 6; pass += 1) shown.push(await interim.feed(voice(0.5, -20), new AbortController().signal));
    expect(shown).toEqual([
      { text: "Please", stable: 0 },
      { text: "please call", stable: 6 },
      // The last word may still grow.
      { text: "Please call", stable: 6 },
      // The comma comes from this pass.
      { text: "Please, calm the", stable: 7 },
      { text: "Please call me back", stable: 6 },
      { text: "Please", stable: 6 },
    ]);
  });

  it('hides the "You" that a recognizer makes of the beginning of a word', async () => {
    const interim = repeatedRecognition(spokenTo(), async ({ pcm }) => [segment("You", pcm)]);
    interim.begin();
    await expect(interim.feed(voice(0.2, -20), new AbortController().signal)).resolves.toBeUndefined();
    await expect(interim.feed(voice(0.2, -20), new AbortController().signal)).resolves.toEqual({ text: "You", stable: 0 });
  });

  it("cuts interim text that loops", async () => {
    const circular = "And, and, and, and, and, and, and, and".split(" ");
    const interim = repeatedRecognition(spokenTo(), async ({ pcm }) => circular.map((word) => segment(word, pcm)));
    interim.begin();
    const shown = await interim.feed(voice(0.5, -20), new AbortController().signal);
    expect(shown?.text).toBe("And,");
  });

  it("recognizes less often when it is slow, to use a quarter of the time at most", async () => {
    const asked: number[] = [];
    vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValueOnce(1_000);
    const interim = repeatedRecognition(spokenTo(), async ({ pcm }) => {
      asked.push(secondsOf(pcm));
      return [];
    });
    interim.begin();
    for (const chunk of chunked(voice(4, -20), [8_000])) await interim.feed(chunk, new AbortController().signal);
    expect(asked).toEqual([0.7, 3.7, 4.2]);
  });

  it("recognizes nothing again while nobody speaks", async () => {
    const asked: number[] = [];
    const interim = repeatedRecognition(spokenTo(0.9), async ({ pcm }) => {
      asked.push(secondsOf(pcm));
      return [];
    });
    interim.begin();
    for (const chunk of chunked(voice(3, -20), [8_000])) await interim.feed(chunk, new AbortController().signal);
    expect(asked).toEqual([0.7, 1.2]);
  });

  it("ignores a failed interim pass, since the final words report the error", async () => {
    const interim = repeatedRecognition(spokenTo(), () => Promise.reject(new SpeechError("engineTimeout", "slow")));
    interim.begin();
    await expect(interim.feed(voice(3, -20), new AbortController().signal)).resolves.toBeUndefined();
  });

  it("aborts interim recognition when the utterance is over", async () => {
    const began = Promise.withResolvers<void>();
    const given = Promise.withResolvers<void>();
    const { opened, said, errors } = stream({
      interim: {
        begin: () => undefined,
        feed: (_, signal) =>
          new Promise((_resolve, reject) => {
            began.resolve();
            signal.addEventListener("abort", () => {
              given.resolve();
              reject(signal.reason);
            });
          }),
      },
    });
    await opened.write(Buffer.concat([silence(0.5), voice(2.5, -20)]));
    await began.promise;
    await opened.write(silence(1));
    await given.promise;
    await opened.end();
    expect(finals(said)).toHaveLength(1);
    expect(errors).toEqual([]);
  });
});
