import { statusOf, type TranscriptionStatus, type TranscriptionSummary } from "#contract/index.ts";
import { isLasting } from "#machines/uploads/rules.ts";

/**
 * The texts that say why a file came to nothing, or what its text lacks: the first that there is.
 * @param code of the contract, or `unreadable`
 * @param status "completed" when the code is a warning
 * @param origin where it came from, where that is known
 */
export function problemKeys(
  code: string,
  status: TranscriptionStatus = "failed",
  origin?: TranscriptionSummary["origin"],
): string[] {
  const own = [...(origin === "url" ? [`uploads.address.${code}`] : []), `uploads.problem.${code}`];
  return [...(status === "failed" ? own : []), `errors.${code}`, "errors.internal"];
}

/** A file that has no sound, or is none, is no other the second time; an engine for its language may be there by then. */
export function canRetry({ status, error }: Pick<TranscriptionSummary, "status" | "error">): boolean {
  const code = error?.code ?? null;
  return statusOf(status) === "failed" && (code === "languageUnavailable" || !isLasting(code));
}
