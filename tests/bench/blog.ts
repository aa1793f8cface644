// The blog's pages for readers with 10,000 posts. Run: npm run bench -- blog
import { startParlance } from "#tests/browser/harness-server.ts";
import { type Figure, milliseconds, quantile, report } from "./figures.ts";
import { fillBlog } from "./many-posts.ts";

/** The ms until the whole answer. */
const limit = 300;
const calls = 40;
const topic = "speech";

await using parlance = await startParlance();
fillBlog(parlance.dataDir, { posts: 10_000, views: 20_000, reactions: 5000 });
await parlance.restart();

/** The first call is left out: the server's caches are empty. */
async function timesOf(path: string): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call <= calls; call++) {
    const from = performance.now();
    const answer = await fetch(parlance.apiUrl + path);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
    if (call > 0) times.push(performance.now() - from);
  }
  return times;
}

const asked = [
  ["The blog's first page", "/blog"],
  ["  with one language first", "/blog?first=de"],
  ["  page 500", "/blog?page=500"],
  ["  one topic in one language", `/blog?topics=${topic}&language=en&generated=false`],
  ["Popular posts", "/blog/popular"],
  ["A post with what is related", "/blog/post-0"],
] as const;
const figures: Figure[] = [];
for (const [name, path] of asked) {
  const times = await timesOf(path);
  const slow = quantile(times, 0.95);
  const value = `${milliseconds(slow)}; median ${milliseconds(quantile(times, 0.5))}`;
  figures.push({ name: `${name}, 10,000 posts, 95 % of ${calls}`, value, limit: milliseconds(limit), ok: slow < limit });
}
report(figures);
