import { Hono } from "hono";
import { type AnsweredPoint, SearchAnswer, type SearchAnswerEvent, SearchQuery, SearchQuestion } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson, readQuery } from "#server/http/body.ts";
import { type Concurrency, insightConcurrency, searchConcurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { workStream } from "#server/http/work-stream.ts";
import { type LanguageModel, modelOf } from "#server/insights/language-model.ts";
import type { Log } from "#server/log/log.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import { baseLanguage } from "#server/translation/engine.ts";
import { ask } from "./ask.ts";
import { type FindParts, find } from "./find.ts";
import type { Filters } from "./queries.ts";

interface Parts extends AccessParts, SignInParts, FindParts {
  log: Log;
  /** Undefined when none is set up. */
  languageModel: LanguageModel | undefined;
  concurrency: Concurrency;
}

const path = "/api/v1/audio-transcriptions/search";
const search = {
  scope: "transcriptions:read",
  id: "searchTranscripts",
  tag: "transcriptions",
  query: SearchQuery,
  json: SearchAnswer,
} as const;

/** The search in everything that a user's transcripts say (contract/search.ts). */
export function searchRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);
  const { languageModel, concurrency } = deps;

  app.get(path, access(search), async (c) => {
    const { q, page, limit, ...filters } = readQuery(c, SearchQuery);
    const userId = c.var.user.id;
    const asked = { query: q, filters: filtersOf(filters), skip: (page - 1) * limit, take: limit };
    const found = await concurrency.run(searchConcurrency, userId, c.req.raw.signal, () => find(deps, userId, asked));
    const model = languageModel === undefined ? null : modelOf(languageModel);
    return c.json({ ...found, model } satisfies SearchAnswer);
  });

  app.post(`${path}/answer`, requireUser(deps), async (c) => {
    const { question, answerIn, ...filters } = await readJson(c, SearchQuestion);
    if (languageModel === undefined) throw new Problem("chatUnavailable");
    const { id: userId } = c.var.user;
    await deps.throttle.count(languageModel.limit, userId);
    const asked = { question, answerIn, filters: filtersOf(filters) };
    return workStream<SearchAnswerEvent>(c, { ...deps, name: "answering a question" }, async (send, signal) => {
      const onPoint = (point: AnsweredPoint) => send({ point });
      const work = () => ask({ ...deps, languageModel }, userId, asked, { signal, onPoint });
      send({ answered: await concurrency.run(insightConcurrency, userId, signal, work) });
    });
  });
  return app;
}

const at = (moment: string | undefined): number | undefined => (moment === undefined ? undefined : Date.parse(moment));

function filtersOf({ language, from, to }: Pick<SearchQuery, "language" | "from" | "to">): Filters {
  return { language: language === undefined ? undefined : baseLanguage(language), from: at(from), to: at(to) };
}
