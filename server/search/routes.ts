import { Hono } from "hono";
import { type SearchAnswer, SearchQuery } from "#contract/index.ts";
import { readQuery } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { describes } from "#server/http/operations.ts";
import { type Places, searchShare } from "#server/http/places.ts";
import { type LanguageModel, modelOf } from "#server/insights/language-model.ts";
import { type AccessParts, requireAccess } from "#server/session/require-access.ts";
import { baseLanguage } from "#server/translation/engine.ts";
import { type FindParts, find } from "./find.ts";
import { searchOperations } from "./operations.ts";
import type { Filters } from "./queries.ts";

interface Parts extends AccessParts, FindParts {
  /** Undefined: none is set up. */
  languageModel: LanguageModel | undefined;
  places: Places;
}

const path = "/api/v1/audio-transcriptions/search";

/** The search in everything that a person's transcripts say (contract/search.ts). */
export function searchRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const { languageModel, places } = deps;

  app.get(path, describes(searchOperations.search), requireAccess(deps, "transcriptions:read"), async (c) => {
    const { q, page, limit, ...filters } = readQuery(c, SearchQuery);
    const userId = c.var.user.id;
    const asked = { query: q, filters: filtersOf(filters), skip: (page - 1) * limit, take: limit };
    const found = await places.run(searchShare, userId, c.req.raw.signal, () => find(deps, userId, asked));
    const model = languageModel === undefined ? null : modelOf(languageModel);
    return c.json({ ...found, model } satisfies SearchAnswer);
  });
  return app;
}

const at = (moment: string | undefined): number | undefined => (moment === undefined ? undefined : Date.parse(moment));

function filtersOf({ language, from, to }: Pick<SearchQuery, "language" | "from" | "to">): Filters {
  return { language: language === undefined ? undefined : baseLanguage(language), from: at(from), to: at(to) };
}
