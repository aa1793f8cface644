import type { Threads } from "#server/threads/threads.ts";
import type { Digest } from "./plain-text.ts";

export const digestTasks = {
  /** What is known of a post by its text. The parser is loaded when the first one is asked for. */
  digest: async (markdown: string): Promise<Digest> => {
    const { digestOf } = await import("./plain-text.ts");
    return digestOf(markdown);
  },
};

/** A character of Markdown takes up to so many times as long as one of what the threads usually do. */
const slowness = 64;

/** What is known of a post by its text, without holding the event loop. @param person its editor */
export function digestIn(threads: Threads, markdown: string, person: string): Promise<Digest> {
  return threads.run(digestTasks.digest, markdown, { person, size: markdown.length * slowness });
}
