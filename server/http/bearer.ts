/**
 * What an Authorization header says after the scheme Bearer. The case of the scheme, and how many blanks stand around what it says, do
 * not matter (RFC 9110, section 11.4).
 * @returns undefined for another scheme, and when nothing follows it
 */
export function credentialsOf(header: string | undefined): string | undefined {
  return /^bearer[ \t]+(.+)$/i.exec(header?.trim() ?? "")?.[1];
}

/** The token of an Authorization header, not checked; undefined when it is not one word. */
export function bearerOf(header: string | undefined): string | undefined {
  const credentials = credentialsOf(header);
  return credentials !== undefined && /^[^\s,]+$/.test(credentials) ? credentials : undefined;
}
