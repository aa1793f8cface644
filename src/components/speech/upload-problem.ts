/** The texts that say why a file came to nothing: the first that there is. @param code of the contract, or `unreadable` */
export function problemKeys(code: string): string[] {
  return [`uploads.problem.${code}`, `errors.${code}`, "errors.internal"];
}
