// Recognizes the recordings of the bench's page and measures the time.

import wasm from "onnxruntime-web/ort-wasm-simd-threaded.wasm?url";
import type { Segment, Word } from "#contract/index.ts";
import { pcmRate } from "#speech/bytes.ts";
import { openRecogniser, type Recogniser } from "#src/audio/recognise/recogniser.ts";
import { wavHeader } from "#src/audio/wav.ts";
import decoder from "../../../server/speech/assets/moonshine-tiny-en/decoder_model_merged.ort?url";
import encoder from "../../../server/speech/assets/moonshine-tiny-en/encoder_model.ort?url";
import tokens from "../../../server/speech/assets/moonshine-tiny-en/tokens.txt?url";
import silero from "../../../server/speech/silero/silero_vad.onnx?url";
import type { Answer, Listened, Question, Transcribed } from "./messages.ts";

const answer = (given: Answer) => postMessage(given);
/**
 * Reads a blob, as the product does: of other responses, tools that drive Chromium keep a copy in the page's process.
 */
const bytesOf = async (url: string) => new Uint8Array(await (await (await fetch(url)).blob()).arrayBuffer());
const secondsSince = (begin: number) => (performance.now() - begin) / 1000;
const textOf = (segments: readonly Segment[]) => segments.map(({ text }) => text).join(" ");

async function load(): Promise<Recogniser> {
  const begin = performance.now();
  const urls = { encoder, decoder, tokens, silero, wasm };
  let reading = 0;
  const recogniser = await openRecogniser(async (file) => {
    const asked = performance.now();
    const bytes = await bytesOf(urls[file]);
    reading += secondsSince(asked);
    return bytes;
  });
  answer({ loaded: secondsSince(begin) - reading });
  return recogniser;
}

async function transcribe(recogniser: Recogniser, url: string): Promise<Transcribed> {
  const sound = await (await fetch(url)).blob();
  const begin = performance.now();
  const options = { onProgress: () => {}, signal: new AbortController().signal };
  const segments = await recogniser.transcribe(sound, options);
  const seconds = (sound.size - wavHeader(0).byteLength) / 2 / pcmRate;
  return { seconds, work: secondsSince(begin), text: textOf(segments) };
}

/** Recognizes at the pace of a microphone, in frames of 80 ms. */
async function listen(recogniser: Recogniser, url: string): Promise<Listened> {
  const pcm = (await bytesOf(url)).slice(wavHeader(0).byteLength);
  const frame = 0.08;
  const frameBytes = frame * pcmRate * 2;
  const begin = performance.now();
  const seen = watchWords(() => secondsSince(begin));
  let isSlow = false;
  const stream = recogniser.openStream({
    onInterim: seen.interim,
    onFinal: seen.final,
    onSlow: () => {
      isSlow = true;
    },
    onError: (error) => answer({ failed: String(error) }),
  });
  for (let at = 0; at * frameBytes < pcm.length; at += 1) {
    const due = (at + 1) * frame - secondsSince(begin);
    if (due > 0) await new Promise((resolve) => setTimeout(resolve, due * 1000));
    stream.write(pcm.slice(at * frameBytes, (at + 1) * frameBytes));
  }
  const segments = await stream.end();
  return { text: textOf(segments), late: seen.late(), isSlow };
}

/**
 * Records when this many words of an utterance were first shown.
 * @param now seconds of the audio
 */
function watchWords(now: () => number) {
  const late: number[] = [];
  /** Indexed by the number of words. */
  let shown: number[] = [];
  let words: Word[] = [];
  const finish = () => {
    for (const [at, word] of words.entries()) late.push((shown[at + 1] ?? Number.POSITIVE_INFINITY) - word.end);
    [shown, words] = [[], []];
  };
  const note = (count: number) => {
    for (let number = 1; number <= count; number += 1) shown[number] ??= now();
  };
  return {
    interim: (text: string) => {
      if (words.length > 0) finish();
      note(text.split(" ").length);
    },
    final: (segment: Segment) => {
      words.push(...segment.words);
      note(words.length);
    },
    late: () => {
      finish();
      return late;
    },
  };
}

const loading = load();
loading.catch((error: unknown) => answer({ failed: String(error) }));
addEventListener("message", async ({ data }: MessageEvent<Question>) => {
  try {
    const recogniser = await loading;
    if (data.type === "transcribe") answer({ transcribed: await transcribe(recogniser, data.sound) });
    else answer({ listened: await listen(recogniser, data.sound) });
  } catch (error) {
    answer({ failed: error instanceof Error ? `${error} ${error.cause ?? ""}` : String(error) });
  }
});
