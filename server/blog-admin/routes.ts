import { Writable } from "node:stream";
import { type Context, Hono } from "hono";
import * as v from "valibot";
import {
  BlogDraft,
  type BlogList,
  BlogUpdate,
  BulkAction,
  type BulkAnswer,
  type ImageAnswer,
  maxImageBytes,
  Slug,
  type SlugAnswer,
} from "#contract/index.ts";
import { digestIn } from "#server/blog/digest-tasks.ts";
import { imagePath } from "#server/blog/image-address.ts";
import { keepImage } from "#server/blog/images.ts";
import { changePosts, createPost, getForEditor, removePost, updatePost } from "#server/blog/posts.ts";
import { AdminBlogQuery } from "#server/blog/query-params.ts";
import { listBlog } from "#server/blog/reading.ts";
import { freeSlug, isSlugFree, slugOf } from "#server/blog/slugs.ts";
import { atApi } from "#server/blog/view.ts";
import { Problem } from "#server/errors/problem.ts";
import { check, readJson } from "#server/http/body.ts";
import type { Concurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { streamsBody, takesBody } from "#server/http/limits.ts";
import { multipartBytes, receiveUpload } from "#server/http/multipart.ts";
import type { Origins } from "#server/http/origins.ts";
import { type AdminParts, requireSuperuser } from "#server/session/require-user.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { Threads } from "#server/threads/threads.ts";

interface Parts extends AdminParts {
  concurrency: Concurrency;
  origins: Origins;
  threads: Threads;
  storage: Pick<Storage, "blobs">;
}

/** 200,000 characters as JSON, each of which may take several bytes. */
const postBytes = 1024 * 1024;
/** Ids are UUIDs, so that a path such as /admin/blog/analytics is not taken for one. */
const one = "/admin/blog/:id{[\\da-f]{8}-[\\da-f-]{27}}";

const SlugQuery = v.object({
  title: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200))),
  slug: v.optional(Slug),
  id: v.optional(v.pipe(v.string(), v.maxLength(100))),
});

/** The blog for its editors, who are superusers (SPEC.md section 7, "Blog, admin"). */
export function blogAdminRoutes(deps: Parts): Hono<AppEnv> {
  const { db, now, origins, threads } = deps;
  const digestFor = (c: Context<AppEnv>) => (markdown: string) => digestIn(threads, markdown, c.var.user.id);
  const app = new Hono<AppEnv>();
  const superuser = requireSuperuser(deps);

  app.get("/admin/blog", superuser, async (c) => {
    const { filter, page } = check(AdminBlogQuery, c.req.query());
    return c.json((await listBlog(db, filter, page, origins.apiFor(c.req.header("host")))) satisfies BlogList);
  });
  app.post("/admin/blog", superuser, takesBody(postBytes, deps), async (c) => {
    const draft = await readJson(c, BlogDraft);
    const post = await createPost(deps, draft, await digestFor(c)(draft.content), { authorId: c.var.user.id });
    return c.json(atApi(post, origins.apiFor(c.req.header("host"))), 201);
  });
  app.post("/admin/blog/bulk", superuser, async (c) => {
    const done = await changePosts({ db, now, digest: digestFor(c) }, await readJson(c, BulkAction));
    return c.json({ done } satisfies v.InferOutput<typeof BulkAnswer>);
  });
  app.get("/admin/blog/slug", superuser, async (c) => c.json(await suggestSlug(deps, check(SlugQuery, c.req.query()))));

  app.get(one, superuser, async (c) => {
    return c.json(atApi(await getForEditor(deps, c.req.param("id")), origins.apiFor(c.req.header("host"))));
  });
  app.put(one, superuser, takesBody(postBytes, deps), async (c) => {
    const post = await updatePost({ db, now, digest: digestFor(c) }, c.req.param("id"), await readJson(c, BlogUpdate));
    return c.json(atApi(post, origins.apiFor(c.req.header("host"))));
  });
  app.delete(one, superuser, async (c) => {
    await removePost(deps, c.req.param("id"));
    return c.body(null, 204);
  });

  imageRoutes(app, deps);
  return app;
}

/**
 * Answers a title with the first free slug, and a slug with whether it is free.
 * @throws Problem `badRequest` without either
 */
async function suggestSlug({ db }: Parts, { title, slug, id }: v.InferOutput<typeof SlugQuery>): Promise<SlugOutput> {
  if (slug !== undefined) return { slug, free: await isSlugFree(db, slug, id) };
  if (title === undefined) throw new Problem("badRequest", "title or slug: one of them is required");
  return { slug: await freeSlug(db, slugOf(title), id), free: true };
}
type SlugOutput = v.InferOutput<typeof SlugAnswer>;

function imageRoutes(app: Hono<AppEnv>, deps: Parts): void {
  app.post("/admin/blog/upload-image", streamsBody(maxImageBytes + multipartBytes), requireSuperuser(deps), async (c) => {
    const api = deps.origins.apiFor(c.req.header("host"));
    if (api === undefined) throw new Problem("badRequest", "API_URL is not set.");
    const picture = await receivePicture(c.env.incoming);
    const { id, width, height } = await keepImage(deps, c.var.user.id, picture);
    return c.json({ imageUrl: `${api}${imagePath}${id}`, width, height } satisfies ImageAnswer, 201);
  });
}

/** @throws Problem `tooLarge`, `emptyFile`, `badRequest` */
function receivePicture(incoming: AppEnv["Bindings"]["incoming"]): Promise<Buffer> {
  const receive = async (file: { writeTo(target: Writable): Promise<number> }) => {
    const parts: Buffer[] = [];
    const memory = new Writable({
      write: (part: Buffer, _encoding, done) => {
        parts.push(part);
        done();
      },
    });
    if ((await file.writeTo(memory)) === 0) throw new Problem("emptyFile");
    return Buffer.concat(parts);
  };
  return receiveUpload(incoming, maxImageBytes, (_fields, file) => receive(file), "image");
}
