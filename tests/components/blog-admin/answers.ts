import type { AdminBlogPost, BlogSummary, ScheduledStatus } from "#contract/index.ts";

const schedule: ScheduledStatus = {
  enabled: false,
  nextRunTime: null,
  lastRunTime: null,
  postsGenerated: 0,
  postsSkipped: 0,
  status: "idle",
  errorMessage: null,
  skipsNext: false,
  followingRunTime: null,
  canWrite: true,
  history: [],
};

/** Answers to the additional calls of the blog's editor pages. */
export const scheduleAnswers = { "GET /admin/blog/scheduled-status": schedule };

export const post = (change: Partial<AdminBlogPost> = {}): AdminBlogPost => ({
  id: "p1",
  title: "Lantern One",
  slug: "lantern-one",
  likes: 2,
  dislikes: 0,
  views: 1_234,
  topics: ["lanterns", "light"],
  language: "en",
  generated: false,
  status: "draft",
  summary: "",
  cover: null,
  minutes: 1,
  publishedAt: null,
  createdAt: null,
  updatedAt: "2026-03-01T12:00:00.000Z",
  content: "Light.",
  author: null,
  related: [],
  revision: 1,
  ...change,
});

/** A list of posts as the server sends it. */
export const listOf = (posts: BlogSummary[], total = posts.length, page = 1) => ({
  posts,
  total,
  page,
  totalPages: Math.max(1, Math.ceil(total / 20)),
  facets: {
    topics: [{ topic: "lanterns", count: 3 }],
    languages: [
      { language: "en", count: 3 },
      { language: "de", count: 1 },
    ],
  },
});
