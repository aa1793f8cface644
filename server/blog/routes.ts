import { Hono } from "hono";
import * as v from "valibot";
import { type BlogList, type Reaction, type ReactionAnswer, Reader, Slug } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { check, readJson } from "#server/http/body.ts";
import type { TrustedProxies } from "#server/http/client-address.ts";
import { addressOf } from "#server/http/client-network.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import type { SignInParts } from "#server/session/require-user.ts";
import { reactionLimit, type Throttle, viewLimit } from "#server/session/throttle.ts";
import type { Storage } from "#server/storage/storage.ts";
import { openBlogImages } from "./images.ts";
import { BlogQuery, PopularQuery } from "./query-params.ts";
import { readerOf, rememberReader } from "./reader.ts";
import { countView, react } from "./reader-queries.ts";
import { listBlog, popularBlog, readPost } from "./reading.ts";

interface Parts extends SignInParts {
  config: { trustProxy: TrustedProxies };
  origins: Origins;
  throttle: Throttle;
  storage: Pick<Storage, "blobs">;
}

const noPost = () => new Problem("notFound", "Blog post not found");

/** The blog for readers, without sign-in (SPEC.md section 7, "Blog, public"). */
export function blogRoutes(deps: Parts): Hono<AppEnv> {
  const { db, origins } = deps;
  const app = new Hono<AppEnv>();

  app.get("/blog", async (c) => {
    const { filter, page } = check(BlogQuery, c.req.query());
    return c.json((await listBlog(db, filter, page, origins.apiFor(c.req.header("host")))) satisfies BlogList);
  });
  app.get("/blog/popular", async (c) => {
    const { limit } = check(PopularQuery, c.req.query());
    return c.json(await popularBlog(db, limit, origins.apiFor(c.req.header("host"))));
  });
  app.get("/blog/:slug", async (c) => {
    const slug = c.req.param("slug");
    if (!v.is(Slug, slug)) throw noPost();
    return c.json(await readPost(db, slug, origins.apiFor(c.req.header("host"))));
  });

  readerRoutes(app, deps);
  imageRoutes(app, deps);
  return app;
}

/** Readers send their own id: no token, as in SPEC.md section 6. */
function readerRoutes(app: Hono<AppEnv>, deps: Parts): void {
  const { db, throttle, config, now } = deps;
  const reactions: Record<string, Reaction | null> = { like: "like", dislike: "dislike", "remove-reaction": null };
  for (const [name, reaction] of Object.entries(reactions)) {
    app.post(`/blog/:id/${name}`, async (c) => {
      const { userId } = await readJson(c, Reader);
      await throttle.count(reactionLimit, addressOf(c, config.trustProxy));
      const reader = await readerOf(c, deps, userId);
      const answer = await react(db, c.req.param("id"), reader, reaction, now());
      if (answer === undefined) throw noPost();
      if (reaction !== null) await rememberReader(c, deps, reader);
      return c.json(answer satisfies ReactionAnswer);
    });
  }

  app.post("/blog/:id/view", async (c) => {
    const { userId } = await readJson(c, Reader);
    await throttle.count(viewLimit, addressOf(c, config.trustProxy));
    const { id } = await readerOf(c, deps, userId);
    const views = await countView(db, c.req.param("id"), id, now());
    if (views === undefined) throw noPost();
    return c.json({ views });
  });
}

/** Pictures, public: their URLs are unguessable, and their content is immutable. */
function imageRoutes(app: Hono<AppEnv>, { storage }: Parts): void {
  const images = openBlogImages(storage);
  app.get("/blog/images/:id", async (c) => {
    const picture = await images.read(c.req.param("id"));
    if (picture === undefined) throw new Problem("notFound");
    c.header("Content-Type", "image/webp");
    c.header("Content-Disposition", "inline");
    // Feed readers on other origins may show it.
    c.header("Cross-Origin-Resource-Policy", "cross-origin");
    c.header("Cache-Control", "public, max-age=31536000, immutable");
    return c.body(new Uint8Array(picture));
  });
}
