import type { TryModel } from "./models/trial.ts";
import { createHearingTrial, tryPunctuation } from "./speech/index.ts";
import { voiceTrial } from "./speech/voices/trial.ts";
import { translationTrial } from "./translation/trial.ts";

/** How a model of each purpose is tried. @param now epoch milliseconds */
export function createTryModel(now: () => number): TryModel {
  const hearing = createHearingTrial({ now });
  const voice = voiceTrial({ now });
  const translation = translationTrial({ now });
  return async (candidate, signal) => {
    if (candidate.purpose === "hearing") return hearing(candidate, signal);
    if (candidate.purpose === "translation") return translation(candidate, signal);
    if (candidate.purpose === "speaking") return voice(candidate, signal);
    if (candidate.purpose === "punctuation") return tryPunctuation(candidate, signal);
    // The others are loaded when they are first wanted.
    return {};
  };
}
