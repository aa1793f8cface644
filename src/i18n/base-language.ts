/** A language without its region, in lower case: "pt" for "pt-BR", or for "pt_BR" as some voices spell it. */
export function baseLanguage(code: string): string {
  return code.toLowerCase().split(/[-_]/)[0] ?? code;
}
