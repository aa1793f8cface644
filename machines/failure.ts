/** Why an actor failed, as the code that the contract knows; "internal" for what has none. */
export function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "internal";
}

/** What it is about is not there (any more). */
export const isGone = (error: unknown): boolean => ["notFound", "gone"].includes(codeOf(error));

/** The server does not know the call: asking again, or later, changes nothing. */
export const isNotOffered = (error: unknown): boolean => codeOf(error) === "notOffered";

const finalCodes = ["badRequest", "tooLarge", "languageUnavailable", "translationUnavailable"];

/** Whether the same call would be refused again, whenever it is made: the caller is wrong, not the moment. */
export function isFinal(error: unknown): boolean {
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
  return finalCodes.includes(codeOf(error)) || status === 400 || status === 413 || status === 422;
}
