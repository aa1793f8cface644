import { createHash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const dayMs = 24 * 60 * 60 * 1000;
const topics = ["speech", "translation", "travel", "meetings", "accessibility", "podcasts", "privacy", "teaching"];
const sentence = "What somebody has said in one language is read in another before the kettle has boiled. ";

export interface Amounts {
  posts: number;
  views: number;
  reactions: number;
}

/**
 * A linear congruential generator (Numerical Recipes' constants), so that every run has the same blog. Values are at
 * least 0 and less than 1.
 */
function chances(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const idOf = (index: number) => `00000000-0000-4000-8000-${index.toString().padStart(12, "0")}`;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/**
 * Fills the database, in one transaction, with the rows that a year of requests would have written. A few posts have
 * many views, most have few.
 */
export function fillBlog(dataDir: string, { posts, views, reactions }: Amounts): void {
  using db = new DatabaseSync(join(dataDir, "parlance.db"), { timeout: 60_000 });
  const chance = chances();
  const now = Date.now();
  // A cache of half a gigabyte, because index entries are inserted in random order.
  db.exec("pragma foreign_keys = off; pragma cache_size = -500000; begin immediate");
  writePosts(db, posts, now);
  const view = db.prepare("insert into blog_views (post_id, reader, created_at) values (?, ?, ?)");
  const day = db.prepare(
    `insert into blog_days (post_id, day, views, likes, dislikes) values (?, ?, ?, ?, ?)
     on conflict (day, post_id) do update set views = views + excluded.views, likes = likes + excluded.likes,
       dislikes = dislikes + excluded.dislikes`,
  );
  const someTime = () => now - chance() * 365 * dayMs;
  const somePost = () => idOf(Math.floor(chance() ** 2 * posts));
  const reader = () => createHash("sha256").update(String(chance())).update(String(chance())).digest("hex");
  for (let count = 0; count < views; count++) {
    const [post, at] = [somePost(), someTime()];
    view.run(post, reader(), at);
    day.run(post, dayOf(at), 1, 0, 0);
  }
  const reaction = db.prepare("insert into blog_reactions (post_id, reader, reaction, created_at) values (?, ?, ?, ?)");
  for (let count = 0; count < reactions; count++) {
    const [post, at, likes] = [somePost(), someTime(), chance() < 0.9];
    reaction.run(post, reader(), likes ? "like" : "dislike", at);
    day.run(post, dayOf(at), 0, likes ? 1 : 0, likes ? 0 : 1);
  }
  sumUp(db);
  db.exec("commit");
}

function writePosts(db: DatabaseSync, posts: number, now: number): void {
  const columns = "id, slug, title, summary, content, topics, language, status, generated, minutes, created_at, updated_at";
  const post = db.prepare(
    `insert into blog_posts (${columns}, published_at, revision, likes, dislikes, views)
     values (?, ?, ?, ?, ?, ?, 'en', ?, ?, 4, ?, ?, ?, 1, 0, 0, 0)`,
  );
  const topic = db.prepare("insert into blog_topics (post_id, topic) values (?, ?)");
  for (let index = 0; index < posts; index++) {
    const about = [0, 1, 3].map((step) => topics[(index + step) % topics.length] ?? "");
    const at = now - (index % 365) * dayMs;
    const isDraft = index % 10 === 9;
    const published = isDraft ? null : at;
    const texts = [`post-${index}`, `Post ${index}`, sentence, sentence.repeat(60), JSON.stringify(about)];
    post.run(idOf(index), ...texts, isDraft ? "draft" : "published", index % 3 === 0 ? 1 : 0, at, at, published);
    for (const name of about) topic.run(idOf(index), name);
  }
}

/** Writes the sums that the server stores, so that it does not have to count rows. */
function sumUp(db: DatabaseSync): void {
  const sums = "coalesce(sum(views), 0) as views, coalesce(sum(likes), 0) as likes, coalesce(sum(dislikes), 0) as dislikes";
  db.exec(`insert into blog_day_sums (day, views, likes, dislikes) select day, ${sums} from blog_days group by day`);
  db.exec(`update blog_posts set (views, likes, dislikes) = (select ${sums} from blog_days where post_id = blog_posts.id)`);
}
