import type { ParsedFeed } from "./feed.ts";

// What a server needs of feeds before one has come: the thread that reads the first one loads the parser (./feed.ts).

/** A feed as it was fetched. */
interface FeedDocument {
  document: Uint8Array;
  /** Its address, after redirects. */
  base: string;
  /** Content-Type of the answer. */
  type: string;
}

/** How long reading one may take (milliseconds). */
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
