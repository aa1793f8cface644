/** What an actor has failed with: the event of its `onError`. */
export interface Failed {
  error: unknown;
}

/** Why an actor failed, as an error code of the contract; "internal" for any other error. */
export function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "internal";
}

/** The resource does not exist (any more). */
export const isGone = (error: unknown): boolean => ["notFound", "gone"].includes(codeOf(error));

/** The server does not know the call: retrying changes nothing. */
export const isNotOffered = (error: unknown): boolean => codeOf(error) === "notOffered";

const finalCodes = ["badRequest", "tooLarge", "languageUnavailable", "translationUnavailable"];

/** Whether the same call would be refused at any time: the request is at fault, not the moment. */
export function isFinal(error: unknown): boolean {
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
  return finalCodes.includes(codeOf(error)) || status === 400 || status === 413 || status === 422;
}
