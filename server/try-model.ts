import type { ModelPurpose } from "#contract/index.ts";
import type { TryModel } from "./models/trial.ts";
import { createHearingTrial, speakersTrial, tryPunctuation } from "./speech/index.ts";
import { voiceTrial } from "./speech/voices/trial.ts";
import { translationTrial } from "./translation/trial.ts";

/** How a model of each purpose is tried. @param now epoch milliseconds */
export function createTryModel(now: () => number): TryModel {
  const trials: Record<ModelPurpose, TryModel> = {
    hearing: createHearingTrial({ now }),
    speakers: speakersTrial({ now }),
    punctuation: tryPunctuation,
    speaking: voiceTrial({ now }),
    translation: translationTrial({ now }),
  };
  return (candidate, signal) => trials[candidate.purpose](candidate, signal);
}
