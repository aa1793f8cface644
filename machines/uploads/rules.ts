import { codeOf } from "#machines/failure.ts";

/** A server that answers with an error of its own may be ill because of this file: after so many tries it is let alone. */
const maxAnsweredFailures = 5;

/** Asking again would end the same: another file, or another language, is needed. */
const lasting = new Set([
  ...["emptyFile", "tooLarge", "tooLong", "unreadable", "notAudio", "noSound", "truncated", "badRequest", "notFound", "gone"],
  ...["languageUnavailable", "translationUnavailable"],
]);

/** @param code of the contract, or `unreadable` */
export function isLasting(code: string | null): boolean {
  return code !== null && lasting.has(code);
}

/** The HTTP status of an error; 0 when there was no answer, undefined when it is of another kind. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("status" in error)) return undefined;
  return typeof error.status === "number" ? error.status : undefined;
}

export function isSignedOut(error: unknown): boolean {
  return statusOf(error) === 401;
}

/** The server has more of the file than it had when the try before this one began. */
export function hasProgressed(error: unknown): boolean {
  return typeof error === "object" && error !== null && "progressed" in error && error.progressed === true;
}

/**
 * It can be another matter in a moment: nobody answered, or somebody who said "not now". An answer that the file did not come whole,
 * that its parts do not fit, or that something is wrong with the server, is believed after a few tries.
 * @param attempts without success so far, this one included
 */
export function mayPass(error: unknown, attempts: number): boolean {
  const status = statusOf(error);
  if (status === undefined || codeOf(error) === "storageFull") return false;
  if ([0, 408, 429, 502, 503, 504].includes(status)) return true;
  return (status >= 500 || [409, 423].includes(status) || codeOf(error) === "interrupted") && attempts < maxAnsweredFailures;
}
