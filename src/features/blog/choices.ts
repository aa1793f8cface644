import type { BlogFacets, BlogQuery, BlogSummary } from "#contract/index.ts";

function counted(values: readonly string[]): [string, number][] {
  return [...Map.groupBy(values, (value) => value)]
    .map(([value, all]): [string, number] => [value, all.length])
    .sort(([, one], [, other]) => other - one);
}

/** The available filters, always including the chosen ones. Taken from the loaded posts if the server reports none. */
export function choicesOf(facets: BlogFacets | null, posts: readonly BlogSummary[], query: BlogQuery): BlogFacets {
  const { topics, languages } = facets ?? {
    topics: counted(posts.flatMap((post) => post.topics)).map(([topic, count]) => ({ topic, count })),
    languages: counted(posts.map((post) => post.language)).map(([language, count]) => ({ language, count })),
  };
  const missing = query.topics.filter((topic) => !topics.some((known) => known.topic === topic));
  const isKnown = query.language === "" || languages.some(({ language }) => language === query.language);
  return {
    topics: [...topics, ...missing.map((topic) => ({ topic, count: 0 }))],
    languages: isKnown ? languages : [...languages, { language: query.language, count: 0 }],
  };
}

/** Toggles the topic and resets the list to the first page. */
export function withTopic(query: BlogQuery, topic: string): BlogQuery {
  const others = query.topics.filter((other) => other !== topic);
  return { ...query, page: 1, topics: others.length < query.topics.length ? others : [...others, topic] };
}

export function isFiltered({ topics, language, generated }: BlogQuery): boolean {
  return topics.length > 0 || language !== "" || generated !== null;
}

/** The page numbers of a pager: the first, the last, and those around the current page; 0 is an ellipsis. */
export function pagerOf(page: number, last: number): number[] {
  const numbers = [...new Set([1, page - 1, page, page + 1, last])].filter((number) => number >= 1 && number <= last);
  const sorted = numbers.sort((one, other) => one - other);
  return sorted.flatMap((number, index) => {
    const before = sorted[index - 1] ?? number - 1;
    if (number - before === 1) return [number];
    // A single number is no longer than the ellipsis that would replace it.
    return number - before === 2 ? [number - 1, number] : [0, number];
  });
}

/** Whether a post's summary is the beginning of its text (as in generated posts). Then the page shows it only once. */
export function isBeginning(summary: string, content: string): boolean {
  const letters = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, "");
  return letters(content).startsWith(letters(summary));
}
