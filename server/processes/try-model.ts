import type { ModelPurpose } from "#contract/index.ts";
import { ModelTrialError, type TryModel } from "#server/models/trial.ts";
import { createRecognitionTrial, speakersTrial, tryPunctuation } from "#server/speech/index.ts";
import { voiceTrial } from "#server/speech/voices/trial.ts";
import type { MemoryBudget } from "#server/threads/budget.ts";
import { type Lendable, ModelMemory } from "#server/threads/memory.ts";
import { translationTrial } from "#server/translation/trial.ts";

/** The process belongs to the trial; what counts is its room. */
const ownProcess: Lendable = { isAlive: true, close: async () => undefined };

/**
 * Trials of models by purpose.
 * @param now epoch ms
 * @param budget counts the candidate's memory: unused models are unloaded for it, and busy ones are awaited
 */
export function createTryModel(now: () => number, budget?: MemoryBudget): TryModel {
  const trials: Record<ModelPurpose, TryModel> = {
    hearing: createRecognitionTrial({ now }),
    speakers: speakersTrial({ now }),
    punctuation: tryPunctuation,
    speaking: voiceTrial({ now }),
    translation: translationTrial({ now }),
  };
  const refuse = (why: string) => new ModelTrialError("memory", why);
  const rooms = new ModelMemory<Lendable>({ budget, idleMs: 0, refuse });
  return async (candidate, signal) => {
    const { folder, purpose, memoryBytes = 0 } = candidate;
    const room = { model: folder, use: "files" as const, bytes: memoryBytes, start: async () => ownProcess };
    try {
      using _room = await rooms.lend(room, signal);
      return await trials[purpose](candidate, signal);
    } finally {
      await rooms.drop(folder);
    }
  };
}
