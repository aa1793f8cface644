import { statusOf, type TranscriptionStatus, type TranscriptionSummary } from "#contract/index.ts";
import { isLasting } from "#machines/uploads/rules.ts";

/**
 * Keys of the texts that explain why a file failed or what its text lacks, in order of preference.
 * @param code of the contract, or `unreadable`
 * @param status "completed" when the code is a warning
 * @param origin of the transcription, if known
 */
export function problemKeys(
  code: string,
  status: TranscriptionStatus = "failed",
  origin?: TranscriptionSummary["origin"],
): string[] {
  const own = [...(origin === "url" ? [`uploads.address.${code}`] : []), `uploads.problem.${code}`];
  return [...(status === "failed" ? own : []), `errors.${code}`, "errors.internal"];
}

/**
 * Whether a retry makes sense. A file without usable audio always fails; an engine for its language may be added later.
 */
export function canRetry({ status, error }: Pick<TranscriptionSummary, "status" | "error">): boolean {
  const code = error?.code ?? null;
  return statusOf(status) === "failed" && (code === "languageUnavailable" || !isLasting(code));
}

/**
 * The retry button's label. A file that was too long has not been tried yet.
 * @param fits whether the remaining minutes suffice
 */
export function retryKey(code: string | null | undefined, fits: boolean): string {
  return code === "limitReached" && fits ? "uploads.transcribeNow" : "uploads.retry";
}
