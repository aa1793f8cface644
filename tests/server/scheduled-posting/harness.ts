import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";
import type { GeneratedPost } from "#contract/index.ts";
import type { Generator } from "#server/blog-admin/generator.ts";

export const written = (title: string): GeneratedPost => ({
  title,
  summary: "",
  topics: ["News"],
  language: "en",
  content: `# ${title}\n\nWords.`,
});

/** A generator whose answers the test provides. */
export function pen(answer?: () => Promise<GeneratedPost>) {
  const asks: { language: string; hint: string; answer(title: string): void; fail(error: unknown): void }[] = [];
  const generator: Generator = {
    available: true,
    model: "test",
    generate: () => Promise.reject(new Error("not asked for")),
    generateUnique: ({ language = "", hint = "" }, { signal } = {}) => {
      if (answer) return answer();
      const { promise, resolve, reject } = Promise.withResolvers<GeneratedPost>();
      signal?.addEventListener("abort", () => reject(signal.reason));
      asks.push({ language, hint, answer: (title) => resolve(written(title)), fail: reject });
      return promise;
    },
  };
  return { generator, asks };
}

/** A generator that answers at once, with a number in the title. */
export function quickPen() {
  let posts = 0;
  return pen(async () => written(`Post ${++posts}`)).generator;
}

/**
 * Starts scheduled posting in its own thread.
 * @returns runs what is due at the given time (epoch ms)
 */
export function startThread(data: Record<string, string | undefined>): (now: number) => Promise<void> {
  const thread = new Worker(new URL("scheduler-thread.ts", import.meta.url), { workerData: data });
  onTestFinished(async () => {
    await thread.terminate();
  });
  return async (now) => {
    thread.postMessage(now);
    await once(thread, "message");
  };
}
