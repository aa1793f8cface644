import type { AdminBlogPost, BlogSummary } from "#contract/index.ts";
import type { PostValues } from "#machines/blog-admin/post-editor/rules.ts";

/** A post as its editors see it. */
export const post = (changes: Partial<AdminBlogPost> = {}): AdminBlogPost => ({
  id: "p1",
  title: "Harbors",
  slug: "harbors",
  summary: "",
  content: "Ships.",
  topics: ["sea"],
  language: "en",
  cover: null,
  likes: 0,
  dislikes: 0,
  views: 0,
  generated: false,
  status: "draft",
  minutes: 1,
  author: null,
  related: [],
  publishedAt: null,
  updatedAt: "2026-11-21T10:00:00.000Z",
  createdAt: null,
  revision: 1,
  ...changes,
});

export const summary = (id: string): BlogSummary => ({ ...post({ id, title: `Post ${id}` }) });

export const written: PostValues = {
  title: "Harbors at night",
  slug: "",
  summary: "",
  content: "Lights.",
  topics: [],
  language: "en",
  cover: null,
};
