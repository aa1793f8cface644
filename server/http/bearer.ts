/**
 * The credentials of an Authorization header after the scheme Bearer. The case of the scheme and the number of blanks
 * don't matter (RFC 9110, section 11.4).
 * @returns undefined for another scheme, and without credentials
 */
export function credentialsOf(header: string | undefined): string | undefined {
  return /^bearer[ \t]+(.+)$/i.exec(header?.trim() ?? "")?.[1];
}

/** The token of an Authorization header, not checked; undefined when it is not one word. */
export function bearerOf(header: string | undefined): string | undefined {
  const credentials = credentialsOf(header);
  return credentials !== undefined && /^[^\s,]+$/.test(credentials) ? credentials : undefined;
}
