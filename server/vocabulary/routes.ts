import { Hono } from "hono";
import { VocabularyChange, vocabularyLimits } from "#contract/index.ts";
import { Problem } from "#server/common/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { takesBody } from "#server/http/limits.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import { findVocabulary, replaceVocabulary } from "./queries.ts";

/** A person's names and terms, and what is written instead of what was heard (contract/vocabulary.ts). */
export function vocabularyRoutes(deps: SignInParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  app.get("/users/me/vocabulary", signedIn, async (c) => c.json(await findVocabulary(deps.db, c.var.user.id)));
  app.put("/users/me/vocabulary", takesBody(vocabularyLimits.bytes), signedIn, async (c) => {
    const saved = await replaceVocabulary(deps.db, c.var.user.id, await readJson(c, VocabularyChange));
    if (saved === undefined) throw new Problem("conflict");
    return c.json(saved);
  });
  return app;
}
