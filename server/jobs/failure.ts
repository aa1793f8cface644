import type { ErrorCode } from "../../src/api/contract/index.ts";
import { FetchProblem } from "../fetching/request.ts";
import { isDiskFull, Problem, sentenceOf } from "../problem.ts";
import { AudioError, SpeechError } from "../speech/index.ts";

/** Why a job stopped, for the person whose recording it is. */
export interface Failure {
  code: ErrorCode;
  message: string;
  /** Trying again would end the same way. */
  permanent: boolean;
}

const hopeless: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "notAudio",
  "emptyFile",
  "noSound",
  "truncated",
  "languageUnavailable",
  "translationUnavailable",
  "limitReached",
  "tooLarge",
  "urlRefused",
]);

export function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  return { code, message: sentenceOf(code), permanent: hopeless.has(code) || (error instanceof FetchProblem && error.isFinal) };
}

function codeOf(error: unknown): ErrorCode {
  if (error instanceof AudioError || error instanceof SpeechError || error instanceof Problem) return error.code;
  return isDiskFull(error) ? "storageFull" : "internal";
}
