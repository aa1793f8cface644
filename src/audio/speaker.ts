import { baseLanguage } from "#src/i18n/base-language.ts";
import { detachMedia, opening } from "./detach-media.ts";
import { wavHeader } from "./wav.ts";

/** The kinds of voices: on this device, on the server, or of the browser's vendor in the network. */
type VoiceKind = "device" | "server" | "online";

interface Utterance {
  text: string;
  /** A code for text ("es"). */
  language: string;
  /** 1 is the voice's own speed, 2 is twice as fast. */
  rate: number;
}

/** The used part of the browser's speech synthesis. */
export interface Synthesis extends EventTarget {
  getVoices(): readonly SpeechSynthesisVoice[];
  speak(utterance: SpeechSynthesisUtterance): void;
  cancel(): void;
}

export interface SpeakerParts {
  /** Undefined if the browser has none. */
  synthesis: Synthesis | undefined;
  /** Whether the server has a voice for a language. */
  serverSpeaks(language: string): boolean;
  /** Requests audio synthesized by the server. */
  ask(utterance: Utterance, signal: AbortSignal): Promise<Blob>;
}

/** There is no voice for the language. */
export class NoVoiceError extends Error {
  readonly code = "noVoice";
}

/** A voice that has not started after this time (ms) never will. Some browsers list voices that don't exist. */
const timeoutMs = 5_000;
/** One hundredth of a second of silence. */
const silence = () => new Blob([wavHeader(160), new Uint8Array(320)], { type: "audio/wav" });

/** Speaks texts, one at a time. */
export interface Speaker {
  /** The kind of voice for a language; null for none. Voices of this device or server come first. */
  kindFor(language: string): VoiceKind | null;
  /** Resolves when the text was spoken. @throws NoVoiceError; ApiError; the signal's reason */
  speak(utterance: Utterance, signal: AbortSignal): Promise<void>;
  /** Call this in a click handler, because some browsers play only after a user gesture. */
  unlock(): void;
}

export function createSpeaker({ synthesis, serverSpeaks, ask }: SpeakerParts): Speaker {
  const voicesFor = (language: string) =>
    (synthesis?.getVoices() ?? []).filter((voice) => baseLanguage(voice.lang) === baseLanguage(language));
  const deviceVoice = (language: string) => voicesFor(language).find(({ localService }) => localService);
  let element: HTMLAudioElement | undefined;
  const audio = () => {
    element ??= new Audio();
    return element;
  };
  const kindFor = (language: string): VoiceKind | null => {
    if (deviceVoice(language) !== undefined) return "device";
    if (serverSpeaks(language)) return "server";
    return voicesFor(language).length > 0 ? "online" : null;
  };
  const byBrowser = async (voice: SpeechSynthesisVoice | undefined, utterance: Utterance, signal: AbortSignal) => {
    if (synthesis === undefined || voice === undefined) throw new NoVoiceError();
    for (const text of sentencesOf(utterance)) await pronounce(synthesis, voice, { ...utterance, text }, signal);
  };
  // Plays the first sentence while the second one is being synthesized.
  const byServer = async (utterance: Utterance, signal: AbortSignal) => {
    const texts = sentencesOf(utterance).values();
    const askNext = () => {
      const { value: text } = texts.next();
      const asked = text === undefined ? undefined : ask({ ...utterance, text }, signal);
      // Prevents an unhandled rejection: it is awaited only after the previous sentence was played.
      asked?.catch(() => {});
      return asked;
    };
    for (let next = askNext(); next !== undefined; ) {
      const sound = await next;
      next = askNext();
      await play(audio(), sound, signal);
    }
  };

  return {
    kindFor,
    speak: async (utterance, signal) => {
      const { language } = utterance;
      const kind = kindFor(language);
      if (kind === null) throw new NoVoiceError();
      if (kind === "server") return byServer(utterance, signal);
      try {
        await byBrowser(deviceVoice(language) ?? voicesFor(language)[0], utterance, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!serverSpeaks(language)) throw error;
        await byServer(utterance, signal);
      }
    },
    unlock: () => {
      if (element !== undefined) return;
      synthesis?.speak(new SpeechSynthesisUtterance(""));
      play(audio(), silence(), new AbortController().signal).catch(() => {});
    },
  };
}

/** The maximum length of a part of a sentence (characters). */
const longestPart = 200;

/**
 * Splits a text into sentences, and long ones into parts. Some browsers stop long utterances in the middle, and the
 * server must return the beginning soon.
 */
function sentencesOf({ text, language }: Utterance): string[] {
  const sentences = Array.from(new Intl.Segmenter(language, { granularity: "sentence" }).segment(text), ({ segment }) => segment);
  // Splits at a mark between clauses, else at a space, else anywhere.
  const parts = /.{80,200}[,;:،、，；：]\s*|.{1,200}(?:\s+|$)|.{1,200}/gsu;
  return sentences
    .filter((sentence) => sentence.trim() !== "")
    .flatMap((sentence) => (sentence.length <= longestPart ? sentence : (sentence.match(parts) ?? sentence)));
}

function pronounce(
  synthesis: Synthesis,
  voice: SpeechSynthesisVoice,
  { text, rate }: Utterance,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = new AbortController();
  const spoken = new SpeechSynthesisUtterance(text);
  Object.assign(spoken, { voice, lang: voice.lang, rate });
  const late = AbortSignal.timeout(timeoutMs);
  late.addEventListener("abort", () => reject(new NoVoiceError()), { signal: stop.signal });
  spoken.addEventListener("start", () => stop.abort());
  spoken.addEventListener("end", () => resolve());
  spoken.addEventListener("error", () => reject(new NoVoiceError()));
  const cut = () => {
    synthesis.cancel();
    reject(signal.reason);
  };
  signal.addEventListener("abort", cut, { once: true });
  if (signal.aborted) cut();
  else synthesis.speak(spoken);
  return promise.finally(() => {
    stop.abort();
    signal.removeEventListener("abort", cut);
  });
}

/** Resolves when playback has ended. */
async function play(element: HTMLAudioElement, sound: Blob, signal: AbortSignal): Promise<void> {
  const before = opening(element);
  // Awaits only if needed, because some browsers allow playback only directly in the press.
  if (before !== null) await before;
  signal.throwIfAborted();
  const url = URL.createObjectURL(sound);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = new AbortController();
  element.addEventListener("ended", () => resolve(), { signal: stop.signal });
  element.addEventListener("error", () => reject(new NoVoiceError()), { signal: stop.signal });
  signal.addEventListener("abort", () => reject(signal.reason), { signal: stop.signal });
  element.src = url;
  element.play().catch(reject);
  try {
    await promise;
  } finally {
    stop.abort();
    // An element that is still loading would request the revoked URL.
    const left = signal.aborted ? detachMedia(element) : Promise.resolve(element.pause());
    void left.then(() => URL.revokeObjectURL(url));
  }
}
