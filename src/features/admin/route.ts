const isPlain = (entry: [string, unknown]): entry is [string, string | number] => ["string", "number"].includes(typeof entry[1]);

/** Raw search parameters: strings and numbers. They are validated by the sections' schemas, which are loaded with them. */
export const adminAddress = (search: Record<string, unknown>): Record<string, string | number> =>
  Object.fromEntries(Object.entries(search).filter(isPlain));
