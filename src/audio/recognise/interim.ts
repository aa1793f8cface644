import { repeatedRecognition } from "#speech/repeated-recognition.ts";
import { segmentsFromText } from "#speech/text.ts";
import type { InterimText } from "#speech/utterance-stream.ts";
import { type Voice, voiceOfUtterance } from "#speech/voice.ts";
import type { Understood } from "./moonshine.ts";
import { withoutMusic } from "./music.ts";

/**
 * A pass begins when so many times the last one's duration has been spoken. Nobody else speaks here: that may be sooner than on a
 * server; but finals, and sound that came meanwhile, have to be caught up with.
 */
const rests = 1.5;
/** The last tokens of a pass may still change, even if the next pass writes them again: their word is being spoken. */
const unsure = 4;

type Recognize = (voice: Voice, options: { begun: readonly number[]; signal: AbortSignal }) => Promise<Understood>;

/** Interim text from Moonshine: what two passes have written alike is not decoded again. */
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
