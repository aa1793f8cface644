import type { SearchAnswer, SearchHit } from "#contract/index.ts";

export const hit = (text: string, parts: Partial<SearchHit> = {}): SearchHit => ({
  id: "t1",
  title: "A meeting",
  date: "2026-03-01T10:00:00.000Z",
  language: "en",
  speaker: null,
  start: 4,
  end: 7,
  text,
  marks: [],
  translation: null,
  isTitle: false,
  ...parts,
});

export const answerOf = (hits: SearchHit[], parts: Partial<SearchAnswer> = {}): SearchAnswer => ({
  hits,
  total: hits.length,
  hasMore: false,
  matched: "all",
  behind: 0,
  model: null,
  ...parts,
});
