/** The text's key for a file that the server could not create. @param code the error's code */
export function exportFailureKey(code: string): string {
  if (code === "languageUnavailable") return "app:transcript.pdfNoFont";
  return code === "tooLarge" ? "app:transcript.exportTooLong" : "toast.exportFailed";
}
