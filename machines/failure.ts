/** Why an actor failed, as the code that the contract knows; "internal" for what has none. */
export function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "internal";
}
