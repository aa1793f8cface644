import { codeOf } from "#machines/failure.ts";

/** A server error may be caused by this file: after this many attempts it is given up. */
const maxAnsweredFailures = 5;

/** Retrying would end the same: another file, or another language, is needed. */
const lasting = new Set([
  "emptyFile",
  "tooLarge",
  "tooLong",
  "unreadable",
  "notAudio",
  "noSound",
  "truncated",
  "badRequest",
  "notFound",
  "gone",
  "languageUnavailable",
  "translationUnavailable",
]);

/** @param code of the contract, or `unreadable` */
export function isLasting(code: string | null): boolean {
  return code !== null && lasting.has(code);
}

/** The HTTP status of an error; 0 without an answer, undefined for errors of another kind. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("status" in error)) return undefined;
  return typeof error.status === "number" ? error.status : undefined;
}

export function isSignedOut(error: unknown): boolean {
  return statusOf(error) === 401;
}

/** The server has more of the file than before the previous attempt. */
export function hasProgressed(error: unknown): boolean {
  return typeof error === "object" && error !== null && "progressed" in error && error.progressed === true;
}

/**
 * Whether a later attempt may succeed: there was no answer, or a "not now". An incomplete file, parts that do not fit
 * and server errors count as permanent after a few attempts.
 * @param attempts without success so far, including this one
 */
export function mayPass(error: unknown, attempts: number): boolean {
  const status = statusOf(error);
  if (status === undefined || codeOf(error) === "storageFull") return false;
  if ([0, 408, 429, 502, 503, 504].includes(status)) return true;
  return (status >= 500 || [409, 423].includes(status) || codeOf(error) === "interrupted") && attempts < maxAnsweredFailures;
}
