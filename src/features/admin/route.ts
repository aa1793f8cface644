import { loadTexts } from "#src/i18n/index.ts";

/** Raw search parameters: strings and numbers. They are validated by the sections' schemas, which are loaded with them. */
export function adminAddress(search: Record<string, unknown>): Record<string, string | number> {
  const plain = Object.entries(search).flatMap(([key, value]): [string, string | number][] =>
    typeof value === "string" || typeof value === "number" ? [[key, value]] : [],
  );
  return Object.fromEntries(plain);
}

export async function loadAdmin(search: Record<string, string | number>, signal: AbortSignal) {
  const [{ enterSection }] = await Promise.all([import("./sections.ts"), loadTexts("admin")]);
  return enterSection(search, signal);
}
