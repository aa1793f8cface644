import * as v from "valibot";
import { AdminBlogPost, type BlogDraft, BlogListAnswer, BlogPost } from "#contract/index.ts";
import type { Running } from "#server/start.ts";
import { type Person, read } from "#tests/server/harness.ts";

export const draft = (change: Partial<BlogDraft> = {}): BlogDraft => ({
  title: "A post",
  content: "Something to read.",
  ...change,
});

/** Creates a post as a superuser. */
export async function write(superuser: Person, change: Partial<BlogDraft> = {}): Promise<AdminBlogPost> {
  return read(await superuser.call("POST", "/admin/blog", draft(change)), 201, AdminBlogPost);
}

export function publish(superuser: Person, change: Partial<BlogDraft> = {}): Promise<AdminBlogPost> {
  return write(superuser, { status: "published", ...change });
}

export async function listed(server: Pick<Running, "apiUrl">, query = "") {
  return read(await fetch(`${server.apiUrl}/blog${query}`), 200, BlogListAnswer);
}

export async function titles(server: Pick<Running, "apiUrl">, query = ""): Promise<string[]> {
  return (await listed(server, query)).posts.map(({ title }) => title);
}

export async function readPost(server: Pick<Running, "apiUrl">, slug: string): Promise<BlogPost> {
  return read(await fetch(`${server.apiUrl}/blog/${slug}`), 200, BlogPost);
}

/** Message of a refusal; the spec names these messages. */
export async function message(answer: Response): Promise<string> {
  return v.parse(v.object({ message: v.string() }), await answer.json()).message;
}
