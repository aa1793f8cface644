import { repeatedRecognition } from "#speech/repeated-recognition.ts";
import { segmentsFromText } from "#speech/text.ts";
import type { InterimText } from "#speech/utterance-stream.ts";
import { type Voice, voiceOfUtterance } from "#speech/voice.ts";
import type { Understood } from "./moonshine.ts";
import { withoutMusic } from "./music.ts";

/**
 * A pass begins when this multiple of the last pass's duration has been spoken. Only one person speaks here, so this
 * may be lower than on a server. But there must be time left for finals, and for audio that arrived meanwhile.
 */
const rests = 1.5;
/**
 * The number of last tokens of a pass that may still change, even if the next pass repeats them, because their word is
 * still being spoken.
 */
const unsure = 4;

type Recognize = (voice: Voice, options: { begun: readonly number[]; signal: AbortSignal }) => Promise<Understood>;

/** Interim text from Moonshine. Tokens that two passes have in common are not decoded again. */
export function interimWords(recognize: Recognize): InterimText {
  let last: readonly number[] = [];
  let begun: readonly number[] = [];
  const interim = repeatedRecognition(
    voiceOfUtterance,
    async (voice, signal) => {
      const { text, tokens } = await recognize(voice, { begun, signal });
      const differing = tokens.findIndex((token, at) => token !== last[at]);
      const alike = differing < 0 ? tokens.length : differing;
      begun = tokens.slice(0, Math.max(begun.length, Math.min(alike, tokens.length - unsure)));
      last = tokens;
      return withoutMusic(segmentsFromText(text, voice));
    },
    rests,
  );
  return {
    begin: () => {
      [last, begun] = [[], []];
      interim.begin();
    },
    feed: interim.feed,
  };
}
