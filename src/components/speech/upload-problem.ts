import type { TranscriptionStatus } from "../../api/contract/index.ts";

/**
 * The texts that say why a file came to nothing, or what its text lacks: the first that there is.
 * @param code of the contract, or `unreadable`
 * @param status "completed" when the code is a warning
 */
export function problemKeys(code: string, status: TranscriptionStatus = "failed"): string[] {
  return [...(status === "failed" ? [`uploads.problem.${code}`] : []), `errors.${code}`, "errors.internal"];
}
