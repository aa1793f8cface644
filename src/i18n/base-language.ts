/** A language without its region, lower-cased: "pt" of "pt-BR", and of "pt_BR", as some voices spell it. */
export function baseLanguage(code: string): string {
  return code.toLowerCase().split(/[-_]/)[0] ?? code;
}
