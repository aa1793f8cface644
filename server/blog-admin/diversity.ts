import type { DiversityStats, Suggestion } from "#contract/index.ts";
import { countPosts, countPostsByLanguage, countPostsByTopic, listTitles } from "#server/blog/statistics-queries.ts";
import type { DbParts } from "#server/db/open.ts";
import { sameTitle } from "./generator.ts";
import { mostSimilar } from "./similarity.ts";

const dayMs = 24 * 60 * 60 * 1000;
const shownTopics = 20;
/** The number of the latest titles that are compared with each other: 125,000 pairs, a tenth of a second. */
const comparedTitles = 500;
const shownNeglected = 5;
/**
 * Thresholds of the recommendations: share of a topic, share of generated posts, days without a topic, and the number
 * of posts from which shares are computed.
 */
const dominantShare = 0.4;
const generatedShare = 0.7;
const neglectedDays = 60;
const fewPosts = 5;

/**
 * GET /admin/blog/diversity-stats without the fields about the model: how varied the blog is, computed from all posts.
 */
export async function readDiversity({ db, now }: DbParts): Promise<Omit<DiversityStats, "available" | "model">> {
  const [{ posts, published, generated, tagged }, topics, languages, titles] = await Promise.all([
    countPosts(db),
    countPostsByTopic(db),
    countPostsByLanguage(db),
    listTitles(db, comparedTitles),
  ]);
  const similar = mostSimilar(titles, ({ title }) => title) ?? null;
  const neglected = topics.toSorted((a, b) => a.last - b.last).slice(0, shownNeglected);
  const stats = {
    posts,
    published,
    generated,
    manual: posts - generated,
    untagged: posts - tagged,
    topicsTotal: topics.length,
    topics: topics.slice(0, shownTopics).map(({ topic, count }) => ({ topic, count, share: count / posts })),
    evenness: evennessOf(topics.map(({ count }) => count)),
    languages,
    similar: similar === null ? null : { ...similar, similarity: round(similar.similarity) },
    comparedTitles: titles.length,
    neglected: neglected.map(({ topic, last }) => ({ topic, lastAt: new Date(last).toISOString() })),
  };
  return { ...stats, suggestions: suggestionsFor(stats, now()) };
}

/**
 * How evenly posts are distributed over kinds: Pielou's evenness J' = H' / ln S ("The measurement of diversity in
 * different types of biological collections", 1966), where H' = -Σ pᵢ ln pᵢ is Shannon's entropy ("A Mathematical
 * Theory of Communication", 1948), pᵢ the share of kind i and S the number of kinds. 1: all kinds have the same share;
 * near 0: one has nearly all; null for fewer than two kinds.
 */
function evennessOf(counts: readonly number[]): number | null {
  const present = counts.filter((count) => count > 0);
  if (present.length < 2) return null;
  const all = present.reduce((sum, count) => sum + count, 0);
  const entropy = -present.reduce((sum, count) => sum + (count / all) * Math.log(count / all), 0);
  return round(entropy / Math.log(present.length));
}

function round(share: number): number {
  return Math.round(share * 1000) / 1000;
}

type Numbers = Omit<DiversityStats, "available" | "model" | "suggestions">;

/** Recommendations for the next posts, the most pressing first. @param now epoch ms */
function suggestionsFor(stats: Numbers, now: number): Suggestion[] {
  const { posts, topics, neglected, similar, languages, generated, untagged } = stats;
  if (posts === 0) return [{ kind: "begin" }];
  const found: Suggestion[] = [];
  const [oldest] = neglected;
  const days = oldest === undefined ? 0 : Math.floor((now - Date.parse(oldest.lastAt)) / dayMs);
  if (oldest !== undefined && days >= neglectedDays) found.push({ kind: "neglected", topic: oldest.topic, days });
  if (similar !== null && similar.similarity >= sameTitle) found.push({ kind: "similar" });
  if (untagged > 0) found.push({ kind: "untagged", count: untagged });
  if (posts < fewPosts) return found;
  const [first] = topics;
  if (first !== undefined && first.share >= dominantShare) {
    found.push({ kind: "dominant", topic: first.topic, share: round(first.share) });
  }
  const [language] = languages;
  if (language !== undefined && languages.length === 1) found.push({ kind: "oneLanguage", language: language.language });
  if (generated / posts >= generatedShare) found.push({ kind: "mostlyGenerated", share: round(generated / posts) });
  return found;
}
