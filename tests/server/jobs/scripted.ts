import type { Segment } from "#contract/index.ts";
import type { SpeechEngine, StreamOptions } from "#server/speech/engine.ts";
import { gatherEngines, type SpeechEngines } from "#server/speech/engines.ts";
import { wavHeader } from "#server/speech/wav.ts";
import type { TranslationEngine } from "#server/translation/engine.ts";
import { gatherTranslation, type Translation } from "#server/translation/index.ts";
import type { SpeechStream } from "#speech/stream.ts";

const rate = 16_000;

export function segment(text: string, start: number, end: number): Segment {
  const words = text.split(" ");
  const share = (end - start) / words.length;
  return {
    start,
    end,
    text,
    words: words.map((word, i) => ({ text: word, start: start + i * share, end: start + (i + 1) * share })),
  };
}

type Transcribe = SpeechEngine["transcribe"];

/**
 * Recognizes one segment, "piece <seconds>", in each piece of a file. Recognizes a word for every second of live speech
 * and sends a final for every four words.
 */
export function scriptedEngines(
  script: { transcribe?: Transcribe; parallel?: number; speakers?: boolean; vocabulary?: boolean } & Partial<
    Pick<SpeechEngine, "openStream" | "languages" | "confidence">
  > = {},
): SpeechEngines {
  const engine: SpeechEngine = {
    id: "moonshine-tiny-en",
    name: "Scripted",
    offline: true,
    unavailable: undefined,
    languages: script.languages ?? ["en"],
    parallel: script.parallel ?? 2,
    speakers: script.speakers ?? false,
    vocabulary: script.vocabulary ?? false,
    ...(script.confidence === false && { confidence: false }),
    transcribe:
      script.transcribe ?? (async (pcm) => [segment(`piece ${Math.round(pcm.length / 2 / rate)}`, 0, pcm.length / 2 / rate)]),
    openStream: script.openStream ?? openScriptedStream,
    close: async () => {},
  };
  return gatherEngines([engine]);
}

/**
 * The first sample of each second names the word, so the text shows repeated or missing audio. Sends a final for every
 * four words, and one for the rest at the end.
 */
export async function openScriptedStream({ onEvent }: StreamOptions): Promise<SpeechStream> {
  let heard = Buffer.alloc(0);
  let seconds = 0;
  let words: string[] = [];
  let start = 0;
  const finish = () => {
    if (words.length > 0) onEvent({ type: "final", segment: segment(words.join(" "), start, seconds) });
    words = [];
    start = seconds;
  };
  return {
    write: async (pcm) => {
      heard = Buffer.concat([heard, pcm]);
      while (heard.length >= rate * 2) {
        words.push(`w${heard.readInt16LE(0)}`);
        heard = heard.subarray(rate * 2);
        seconds += 1;
        onEvent({ type: "partial", text: words.join(" "), start });
        if (words.length === 4) finish();
      }
    },
    end: async () => finish(),
    close: () => {},
  };
}

/** Puts the target language before each text, as in "es:". */
export function scriptedTranslation(translate?: TranslationEngine["translate"]): Translation {
  return gatherTranslation([
    {
      id: "apertium",
      name: "Scripted",
      offline: true,
      unavailable: undefined,
      pairs: [
        { source: "en", target: "es" },
        { source: "en", target: "fr" },
      ],
      translate: translate ?? (async (texts, { target }) => texts.map((text) => `${target}:${text}`)),
    },
  ]);
}

/** Cache of buzz files, by seconds. */
const buzzes = new Map<number, Buffer<ArrayBuffer>>();

/** A WAV file that sounds like speech: bursts of two seconds with half a second of silence between them. */
export function buzzWav(seconds: number): Buffer<ArrayBuffer> {
  const wav = buzzes.get(seconds) ?? computeBuzz(seconds);
  buzzes.set(seconds, wav);
  return Buffer.from(wav);
}

function computeBuzz(seconds: number): Buffer<ArrayBuffer> {
  const samples = Math.round(seconds * rate);
  const wav = Buffer.alloc(44 + samples * 2);
  wavHeader(samples).copy(wav);
  for (let i = 0; i < samples; i++) {
    const second = i / rate;
    const speaks = second % 2.5 < 2;
    const voice = speaks ? Math.sin(2 * Math.PI * 150 * second) * (0.6 + 0.4 * Math.sin(2 * Math.PI * 4 * second)) : 0;
    wav.writeInt16LE(Math.round(voice * 9_000), 44 + i * 2);
  }
  return wav;
}

/**
 * A WAV file with speech from the first sample to the last.
 * @param seconds length in s; a multiple of 0.2
 */
export function spokenWav(seconds: number): Buffer<ArrayBuffer> {
  const samples = Math.round(seconds * rate);
  const pcm = Buffer.alloc(samples * 2, spokenFifth());
  return Buffer.concat([wavHeader(samples), pcm]);
}

/** 200 ms like a voice that join without a pause: loud, with a short dip in the middle. */
export function spokenFifth(): Buffer<ArrayBuffer> {
  const pcm = Buffer.alloc((rate / 5) * 2);
  for (let i = 0; i < rate / 5; i++) {
    const isDip = i >= rate / 12.5 && i < rate / 8.333;
    if (!isDip) pcm.writeInt16LE(i % 2 === 0 ? 8_000 : -8_000, i * 2);
  }
  return pcm;
}

export function silentWav(seconds: number): Buffer<ArrayBuffer> {
  const samples = Math.round(seconds * rate);
  const wav = Buffer.alloc(44 + samples * 2);
  wavHeader(samples).copy(wav);
  return wav;
}
