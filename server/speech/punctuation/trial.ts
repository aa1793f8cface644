import { ModelTrialError, type TryModel } from "#server/models/trial.ts";
import type { ServiceProcess } from "#server/threads/service-process.ts";
import { theServer } from "#server/threads/slots.ts";
import { answerFor, startPunctuation } from "./punctuator.ts";

const sample = "how are you i am fine thank you";
/** Timeout of loading and answering (ms). */
const timeoutMs = 60_000;

/**
 * Loads a punctuation model in its own process, and gives it a sentence. Its speed is not measured, because it is far
 * faster than speech.
 */
export const tryPunctuation: TryModel = async ({ folder, kind }, signal) => {
  if (kind !== "punctuation") throw new ModelTrialError("wrongKind", `This is not a punctuation model, but "${kind}".`);
  let service: ServiceProcess;
  try {
    service = await startPunctuation(folder, { timeoutMs });
  } catch (cause) {
    throw new ModelTrialError("wrongKind", "It is not a punctuation model: model.onnx or bpe.vocab is missing.", { cause });
  }
  try {
    answerFor(sample, await service.ask({ text: sample }, { person: theServer }, signal));
    return {};
  } catch (cause) {
    signal.throwIfAborted();
    throw new ModelTrialError("unusable", cause instanceof Error ? cause.message : "It did not answer.", { cause });
  } finally {
    await service.close();
  }
};
