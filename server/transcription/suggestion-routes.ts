import { Hono } from "hono";
import { DeclinedSuggestion, type SuggestionsAnswer } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import { declineSuggestion, suggestionsFor } from "#server/voice-profiles/suggestions.ts";
import { ownSummary } from "./access-queries.ts";

const path = "/api/v1/audio-transcriptions/transcription/:id/suggestions";

/** Suggests names for the unnamed speakers of a transcription (contract/voice-profiles.ts). */
export function suggestionRoutes(deps: SignInParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const answer = async (db: Db, userId: string, id: string): Promise<SuggestionsAnswer> => ({
    suggestions: await suggestionsFor(db, userId, id),
  });

  app.get(path, signedIn, async (c) => {
    const { id } = await ownSummary(deps, c.var.user.id, c.req.param("id"));
    return c.json(await answer(deps.db, c.var.user.id, id));
  });

  app.post(`${path}/declined`, signedIn, async (c) => {
    const { id } = await ownSummary(deps, c.var.user.id, c.req.param("id"));
    const declined = await readJson(c, DeclinedSuggestion);
    await deps.db.transaction().execute((t) => declineSuggestion(t, c.var.user.id, id, declined));
    return c.json(await answer(deps.db, c.var.user.id, id));
  });
  return app;
}
