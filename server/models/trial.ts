import type { InstallationFailure, MeasuredSpeed, ModelKind, ModelPurpose } from "#contract/index.ts";

/** An unpacked model before its trial. */
export interface TrialCandidate {
  /** Absolute. */
  folder: string;
  kind: ModelKind;
  purpose: ModelPurpose;
  /** Base codes ("de"). */
  languages: readonly string[];
  /** The estimated memory; undefined if unknown. */
  memoryBytes?: number;
}

/**
 * Loads a model and lets it work on a sentence, in a process of its own.
 * @returns how fast it was, where that was measured
 * @throws ModelTrialError; the signal's reason
 */
export type TryModel = (candidate: TrialCandidate, signal: AbortSignal) => Promise<{ speed?: MeasuredSpeed }>;

/** Messages of native code for a lack of memory. */
const outOfMemory = /out of memory|bad_alloc|failed to allocate|cannot enlarge memory|could not allocate|SIGKILL/i;

/** Translates an error of a candidate's process, with its output. */
export function asTrialError(error: Error): ModelTrialError {
  const said = `${error.message} ${error.cause instanceof Error ? error.cause.message : ""}`.trim();
  return new ModelTrialError(outOfMemory.test(said) ? "memory" : "unusable", said, { cause: error });
}

/** Why a model is not called installed, in English for the operator. */
export class ModelTrialError extends Error {
  override readonly name = "ModelTrialError";
  readonly failure: Extract<InstallationFailure, "unusable" | "wrongKind" | "memory">;

  constructor(failure: ModelTrialError["failure"], detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.failure = failure;
  }
}
