import type {
  BlogList,
  BlogPost,
  HistoryAnswer,
  NotesAnswer,
  ScheduledStatus,
  SharedTranscript,
  SharedWithMeAnswer,
  Transcription,
} from "#contract/index.ts";
import { sampleAnalytics } from "#src/features/blog-analytics/sample-data.ts";
import { type Answers, openStream, refusal } from "#tests/components/harness.ts";
import { spokenSegment } from "#tests/fixtures/spoken.ts";
import { numbers } from "#tests/machines/admin/harness.ts";
import { post } from "#tests/machines/blog-admin/posts.ts";
import { answerWith, model } from "#tests/machines/models/harness.ts";
import { seen } from "#tests/machines/scheduled-posting/harness.ts";

// A server with content for every page, for the tests that open all routes.

const at = "2026-09-01T09:00:00.000Z";

const harbour: Transcription = {
  id: "1",
  title: "Harbour",
  text: "The harbour is old. May I ask about it?",
  translatedText: "El puerto es viejo. ¿Puedo preguntar?",
  sourceLanguage: "en",
  targetLanguage: "es",
  date: at,
  status: "completed",
  origin: "dictation",
  durationSeconds: 7,
  hasAudio: false,
  progress: null,
  error: null,
  segments: [
    spokenSegment("The harbour is old.", 0, 4, { speaker: "1", translation: "El puerto es viejo." }),
    spokenSegment("May I ask about it?", 4, 7, { speaker: "2", translation: "¿Puedo preguntar?" }),
  ],
  fileName: null,
  engine: "moonshine-tiny-en",
};

const shared: SharedTranscript = {
  title: "Harbour",
  date: at,
  sharedBy: "Ada",
  sourceLanguage: "en",
  targetLanguage: "es",
  durationSeconds: 7,
  hasAudio: false,
  download: true,
  expiresAt: "2100-01-01T00:00:00.000Z",
  text: "",
  translatedText: "",
  segments: harbour.segments,
};

const published: BlogPost = {
  ...post({ slug: "harbors", status: "published", publishedAt: at, likes: 2, generated: true, summary: "Of ships." }),
  content: "## Ships\n\nThey come.\n\n| Ship | Mast |\n|---|---|\n| Ada | 2 |\n\n```\nanchor\n```\n\n- [x] Rope",
  related: [post({ id: "p2", slug: "tea", title: "Tea", status: "published", language: "de" })],
};

const blog: BlogList = {
  posts: [published, ...published.related],
  total: 30,
  page: 1,
  totalPages: 3,
  facets: { topics: [{ topic: "sea", count: 20 }], languages: [{ language: "en", count: 29 }] },
};

const history: HistoryAnswer = { data: [harbour], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 }, next: null };
const notes: NotesAnswer = {
  notes: [{ id: "n", start: 0, end: 4, colour: "green", text: "How old?", revision: 1, createdAt: at, changedAt: at }],
};
const withMe: SharedWithMeAnswer = {
  shares: [
    {
      ...{ id: "s", transcription: "2", title: "Tea", date: at, durationSeconds: 9, by: "grace@example.org" },
      role: "read",
      accepted: false,
      expiresAt: at,
    },
  ],
};
const schedule: ScheduledStatus = { ...seen().status, history: [] };

/** A description of two calls in the server's format. */
const description = {
  info: { title: "Parlance", description: "Calls for **programs**." },
  paths: {
    "/api/v1/things/{id}": {
      get: {
        operationId: "readThing",
        tags: ["Things"],
        summary: "Reads a thing",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: { "200": { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } } },
        security: [{ token: ["things:read"] }],
      },
    },
  },
  components: { schemas: { Thing: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } } },
};

const languages = { languages: [{ code: "en", name: "English", nativeName: "English" }] };
const one = "/api/v1/audio-transcriptions/transcription/:id";

/** Answers in addition to the harness's defaults. */
export const filled: Answers = {
  "GET /": { status: "ok" },
  "GET /auth/second-factor": { email: "ada@example.org" },
  "GET /openapi.json": description,
  "GET /languages": languages,
  "GET /languages/:kind": languages,
  "GET /blog": { ...blog },
  "GET /blog/popular": blog.posts,
  "GET /blog/:slug": published,
  "POST /blog/:id/view": {},
  "GET /api/v1/audio-transcriptions/transcription-history": history,
  "GET /api/v1/audio-transcriptions/shared-with-me": withMe,
  [`GET ${one}`]: harbour,
  [`GET ${one}/notes`]: notes,
  [`GET ${one}/insights`]: refusal(404, "notFound"),
  [`GET ${one}/links`]: { links: [] },
  [`GET ${one}/people`]: { people: [] },
  [`GET ${one}/retention`]: refusal(404, "notFound"),
  [`GET ${one}/suggestions`]: { suggestions: [] },
  [`GET ${one}/events`]: () => openStream().response,
  "POST /api/v1/shared/:id/open": shared,
  "GET /admin/metrics": numbers(7),
  "GET /admin/models": answerWith(model({ id: "parakeet", name: "Parakeet", languages: ["en"] })),
  "GET /admin/blog": { ...blog },
  "GET /admin/blog/analytics": sampleAnalytics(Date.parse(at), (key, n) => `${key} ${n}`),
  "GET /admin/blog/diversity-stats": { posts: 2, published: 2, topics: [{ topic: "sea", count: 2, share: 1 }], topicsTotal: 1 },
  "GET /admin/blog/scheduled-status": schedule,
};
