import { Hono } from "hono";
import { VocabularyAnswer, VocabularyChange, vocabularyLimits } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { Concurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { takesBody } from "#server/http/limits.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import { findVocabulary, replaceVocabulary } from "./queries.ts";

const about = { tag: "vocabulary", scope: "vocabulary", json: VocabularyAnswer } as const;
const read = { ...about, id: "getVocabulary" } as const;
const replace = { ...about, id: "replaceVocabulary", body: VocabularyChange } as const;

/** A user's names and terms, and replacements of recognized words (contract/vocabulary.ts). */
export function vocabularyRoutes(deps: AccessParts & { concurrency: Concurrency }): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);
  app.get("/users/me/vocabulary", access(read), async (c) => c.json(await findVocabulary(deps.db, c.var.user.id)));
  app.put("/users/me/vocabulary", access(replace), takesBody(vocabularyLimits.bytes, deps), async (c) => {
    const saved = await replaceVocabulary(deps.db, c.var.user.id, await readJson(c, VocabularyChange));
    if (saved === undefined) throw new Problem("conflict");
    return c.json(saved);
  });
  return app;
}
