import type { ParsedFeed } from "./feed.ts";

export const feedWork = {
  /** The newest episodes of a feed. The parser is loaded when the first one is asked for. */
  feedEntries: async ({ document, base }: { document: Uint8Array; base: string }): Promise<ParsedFeed> => {
    const { readEntries } = await import("./feed.ts");
    return readEntries(document, base);
  },
};
