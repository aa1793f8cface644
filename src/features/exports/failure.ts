/** The text's key for a file that the server could not make. @param code of its error */
export function exportFailureKey(code: string): string {
  if (code === "languageUnavailable") return "app:transcript.pdfNoFont";
  return code === "tooLarge" ? "app:transcript.exportTooLong" : "toast.exportFailed";
}
