import type { ParsedFeed } from "./feed.ts";

// The part of feeds that is needed before any feed arrives. The thread that reads the first feed loads the parser
// (./feed.ts).

/** A feed as it was fetched. */
interface FeedDocument {
  document: Uint8Array;
  /** The feed's URL, after redirects. */
  base: string;
  /** Content-Type of the response. */
  type: string;
}

/** Timeout of parsing a feed (milliseconds). */
export const feedParseMs = 15_000;

/**
 * Whether a text is a feed (RSS, Atom, JSON Feed), not a web page or something else.
 * @param head its first few thousand characters
 */
export function isFeed(head: string): boolean {
  if (head.startsWith("{")) return head.includes("https://jsonfeed.org/version");
  return /<(?:rss|feed|rdf:RDF)[\s>]/i.test(head);
}

export const feedTasks = {
  /** The newest episodes of a feed. */
  feedEntries: async ({ document, base, type }: FeedDocument): Promise<ParsedFeed> => {
    const { readEntries } = await import("./feed.ts");
    return readEntries(document, base, type);
  },
};
