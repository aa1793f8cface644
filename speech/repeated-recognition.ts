import type { Segment } from "#contract/index.ts";
import { joinBytes, pcmRate } from "./bytes.ts";
import { cutLoop, isLooping } from "./loops.ts";
import { isPhantom, textOf } from "./recognize-with-retry.ts";
import type { InterimText } from "./utterance-stream.ts";
import { spokenIn, type Voice } from "./voice.ts";

const bytesPerSecond = pcmRate * 2;
/** Shortest interval between passes: the page's frames (seconds of audio)... */
const shortestPace = 0.2;
/** ... and so long that passes, including the wait for other users, take at most a quarter of the time. */
const restsPerPass = 3;
/** Seconds; more did not improve the text (`npm run bench -- live`). */
const silenceBehind = 0.2;

/**
 * Interim text from an engine that only transcribes complete utterances: the current one is transcribed again and again
 * during speech. Words that two passes agree on stay; the newest pass determines their spelling.
 * @param find the part of the utterance with a voice
 * @param rests how much must be spoken between the starts of two passes, as a multiple of the first pass's duration
 */
export function repeatedRecognition(
  find: (pcm: Uint8Array) => Voice | undefined,
  recognize: (voice: Voice, signal: AbortSignal) => Promise<Segment[]>,
  rests = restsPerPass,
): InterimText {
  let sound: Uint8Array[] = [];
  let pendingBytes = 0;
  /** End of the voice in the last pass, including the added silence, in seconds. */
  let recognizedTo = 0;
  let pace = shortestPace;
  let agreement = new Agreement();
  return {
    begin: () => {
      [sound, pendingBytes, recognizedTo, agreement] = [[], 0, 0, new Agreement()];
    },
    feed: async (pcm, signal) => {
      sound.push(pcm);
      pendingBytes += pcm.length;
      if (pendingBytes < pace * bytesPerSecond) return undefined;
      pendingBytes = 0;
      const voice = find(joinBytes(sound));
      const end = voice === undefined ? 0 : voice.offset + voice.durationSeconds;
      if (voice === undefined || end <= recognizedTo) return undefined;
      recognizedTo = end;
      const before = performance.now();
      try {
        const segments = await recognize(withSilence(voice), signal);
        const [text, seconds] = [textOf(segments), spokenIn(voice)];
        if (isPhantom(text, seconds)) return undefined;
        return agreement.take(isLooping(text, seconds) ? textOf(cutLoop(segments)) : text);
      } catch {
        // The final request follows anyway, and reports the error.
        return undefined;
      } finally {
        pace = Math.max(shortestPace, (rests * (performance.now() - before)) / 1000);
      }
    },
  };
}

/** A word that breaks off is recognized better with a little silence after it. */
function withSilence(voice: Voice): Voice {
  const pcm = joinBytes([voice.pcm, new Uint8Array(silenceBehind * bytesPerSecond)]);
  return { ...voice, pcm, durationSeconds: voice.durationSeconds + silenceBehind };
}

/** The agreed words of an utterance, pass by pass. */
class Agreement {
  #last: readonly string[] = [];
  #agreed: readonly string[] = [];

  /**
   * @returns the text of this pass with the words agreed on before, and the length of the agreed beginning
   *   (characters)
   */
  take(text: string): { text: string; stable: number } {
    const recognized = text.split(/\s+/).filter(Boolean);
    const last = this.#last;
    this.#last = recognized;
    // The last word is often incomplete.
    const spoken = recognized.slice(0, -1);
    const differing = spoken.findIndex((word, at) => keyOf(word) !== keyOf(last[at] ?? ""));
    const same = differing < 0 ? spoken.length : differing;
    const agreed = this.#agreed.map((word, at) => {
      const newest = recognized[at] ?? word;
      return keyOf(newest) === keyOf(word) ? newest : word;
    });
    // A pass that recognizes less takes no agreed words back.
    this.#agreed = [...agreed, ...recognized.slice(agreed.length, same)];
    const words = [...this.#agreed, ...recognized.slice(this.#agreed.length)];
    return { text: words.join(" "), stable: this.#agreed.join(" ").length };
  }
}

/** Ignores case and punctuation, which depend on the following words. */
function keyOf(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
