import type { Threads } from "#server/threads/threads.ts";
import type { Digest } from "./plain-text.ts";

export const digestTasks = {
  /** Derives a post's properties from its text. The first call loads the parser. */
  digest: async (markdown: string): Promise<Digest> => {
    const { digestOf } = await import("./plain-text.ts");
    return digestOf(markdown);
  },
};

/** A character of Markdown takes up to so many times as long as one of what the threads usually do. */
const slowness = 64;

/**
 * Derives a post's properties from its text, in a thread, so that the event loop stays free.
 * @param person its editor
 */
export function digestIn(threads: Threads, markdown: string, person: string): Promise<Digest> {
  return threads.run(digestTasks.digest, markdown, { person, size: markdown.length * slowness });
}
