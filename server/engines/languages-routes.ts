import { Hono } from "hono";
import { etag } from "hono/etag";
import { builtInLanguages } from "#contract/built-in-languages.ts";
import type { AppEnv } from "#server/http/env.ts";

/** The writing system of each language (ISO 15924, "Latn"), with the codes that use it; the commonest first. */
function groupByScript(): { script: string; codes: string[] }[] {
  const groups = new Map<string, string[]>();
  for (const { code } of builtInLanguages) {
    const script = new Intl.Locale(code).maximize().script ?? "Zyyy";
    groups.set(script, [...(groups.get(script) ?? []), code]);
  }
  return [...groups]
    .map(([script, codes]) => ({ script, codes }))
    .sort((one, other) => other.codes.length - one.codes.length || one.script.localeCompare(other.script, "en"));
}

const groups = groupByScript();

/**
 * The languages by name, in the four formats of SPEC.md section 7 ("Languages and health"). GET /api/v1/engines reports
 * which of them are available.
 */
export function languageRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const answers = {
    "/languages/codes": builtInLanguages,
    "/languages/supported": { supportedLanguages: builtInLanguages },
    "/languages/grouped": { languages: builtInLanguages, groups },
    "/languages": { languages: builtInLanguages },
  };
  // Cached for an hour, then revalidated by ETag: the list changes with the product only.
  const headers = { "Cache-Control": "public, max-age=3600", "Content-Type": "application/json; charset=UTF-8" };
  for (const [path, answer] of Object.entries(answers)) {
    const json = JSON.stringify(answer);
    app.get(path, etag(), (c) => c.body(json, 200, headers));
  }
  return app;
}
