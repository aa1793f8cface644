import { ModelTrialError, type TryModel } from "#server/models/trial.ts";
import type { ServiceProcess } from "#server/threads/service-process.ts";
import { theServer } from "#server/threads/slots.ts";
import { answerFor, startPunctuation } from "./punctuator.ts";

const sample = "how are you i am fine thank you";
/** The longest time for loading and answering (ms). */
const timeoutMs = 60_000;

/** Loads a punctuation model in a process of its own, and gives it a sentence. Its speed is not measured: it is far faster than speech. */
export const tryPunctuation: TryModel = async ({ folder, kind }, signal) => {
  if (kind !== "punctuation") throw new ModelTrialError("wrongKind", `This is no punctuation model, but "${kind}".`);
  let service: ServiceProcess;
  try {
    service = await startPunctuation(folder, { timeoutMs });
  } catch (cause) {
    throw new ModelTrialError("wrongKind", "It is no punctuation model: model.onnx and bpe.vocab are not both there.", { cause });
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
