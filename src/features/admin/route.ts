/** Raw search parameters: strings and numbers. They are validated by the sections' schemas, which are loaded with them. */
export function adminAddress(search: Record<string, unknown>): Record<string, string | number> {
  const plain = Object.entries(search).flatMap(([key, value]): [string, string | number][] =>
    typeof value === "string" || typeof value === "number" ? [[key, value]] : [],
  );
  return Object.fromEntries(plain);
}
