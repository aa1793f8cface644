import * as v from "valibot";
import { type BlogQuery, maxTopics } from "#contract/index.ts";

/** The search parameters. Invalid ones count as absent. */
export interface BlogSearch {
  page?: number | undefined;
  /** Comma-separated. */
  topics?: string | undefined;
  language?: string | undefined;
  generated?: boolean | undefined;
}

/** The router parses "2024" and "true" in an address as a number and a boolean. */
const Text = v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.transform(String));
const Topics = v.pipe(
  Text,
  v.transform((text) => [...new Set(text.split(",").map((topic) => topic.trim()))].filter((topic) => topic !== "")),
  v.transform((topics) => topics.slice(0, maxTopics)),
);
const Query = v.object({
  page: v.fallback(v.pipe(v.number(), v.safeInteger(), v.minValue(1)), 1),
  topics: v.fallback(Topics, () => []),
  language: v.fallback(v.pipe(v.string(), v.regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/)), ""),
  generated: v.fallback(v.nullable(v.boolean()), null),
});

export function queryOf(search: unknown): BlogQuery {
  return v.parse(Query, v.is(v.record(v.string(), v.unknown()), search) ? search : {});
}

/** The address of a query, without default values. */
export function searchOf({ page, topics, language, generated }: BlogQuery): BlogSearch {
  return {
    topics: topics.length > 0 ? topics.join(",") : undefined,
    language: language || undefined,
    generated: generated ?? undefined,
    page: page > 1 ? page : undefined,
  };
}
