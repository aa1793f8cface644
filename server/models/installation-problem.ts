import type { InstallationFailure } from "#contract/index.ts";
import { errorCodeOf, isDiskFull } from "#server/errors/problem.ts";
import { ModelTrialError } from "./trial.ts";

/** Why a step of an installation failed, as the statechart hears it. */
export class InstallationProblem extends Error {
  override readonly name = "InstallationProblem";
  readonly failure: InstallationFailure;
  /** In English, for the operator. */
  readonly detail: string;
  /** A little later the same may succeed. */
  readonly isPassing: boolean;
  /** This attempt brought bytes that none before it had. */
  readonly hasProgressed: boolean;

  constructor(
    failure: InstallationFailure,
    detail: string,
    { isPassing = false, hasProgressed = false, cause }: { isPassing?: boolean; hasProgressed?: boolean; cause?: unknown } = {},
  ) {
    super(detail, { cause });
    this.failure = failure;
    this.detail = detail;
    this.isPassing = isPassing;
    this.hasProgressed = hasProgressed;
  }
}

/** Any error of a step, by what it means for the installation. */
export function asInstallationProblem(error: unknown): InstallationProblem {
  if (error instanceof InstallationProblem) return error;
  if (error instanceof ModelTrialError) return new InstallationProblem(error.failure, error.message, { cause: error });
  if (isDiskFull(error)) return new InstallationProblem("diskFull", "The disk is full.", { cause: error });
  const code = errorCodeOf(error);
  const text = error instanceof Error ? error.message : String(error);
  return new InstallationProblem("unknown", code === undefined ? text : `${text} (${code})`, { cause: error });
}
