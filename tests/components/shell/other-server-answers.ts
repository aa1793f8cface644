import type { Answers, ReceivedCall } from "#tests/components/harness.ts";

// A server that implements SPEC.md section 7 and nothing else: entities have only the fields of section 3, errors carry
// a message, and every unspecified call gets 404. Where the spelling is open, each user's profile has a different one.

/** The users by e-mail, each with the password "correct horse" and a profile in one of the spellings of section 3. */
const people: Readonly<Record<string, { profile: Record<string, unknown>; subscription: Record<string, unknown> | null }>> = {
  "free@example.org": {
    profile: { email: "free@example.org", name: "Fran", avatarUrl: null, super_user: false },
    subscription: null,
  },
  "spending@example.org": {
    profile: { email: "spending@example.org", name: "Sam", avatarUrl: null },
    subscription: { id: "sub_0", status: "free", usageData: { usedTranslationMinutes: 8.4 } },
  },
  "paying@example.org": {
    profile: {
      email: "paying@example.org",
      name: "Pat",
      avatar_url: null,
      isSuperUser: false,
      plan_type: "premium",
      subscriptionId: 9,
    },
    subscription: { id: "sub_9", status: "trialing" },
  },
  "chief@example.org": {
    profile: { email: "chief@example.org", name: "Kim", avatarUrl: null, is_superuser: true, planType: "premium" },
    subscription: { id: "sub_1", status: "active" },
  },
};

interface Post {
  id: number;
  title: string;
  slug: string;
  likes: number;
  dislikes: number;
  views: number;
  topics: string[];
  language: string;
  generated: boolean;
  content?: string;
}

const posts = (): Post[] => [
  {
    id: 1,
    title: "Listening well",
    slug: "listening-well",
    likes: 2,
    dislikes: 1,
    views: 30,
    topics: ["speech"],
    language: "en",
    generated: false,
  },
  {
    id: 2,
    title: "Harbours",
    slug: "harbours",
    likes: 0,
    dislikes: 0,
    views: 3,
    topics: [],
    language: "en",
    generated: true,
    content: "Ships **come**.",
  },
];

interface Transcription {
  id: string;
  title: string;
  text: string;
  translatedText: string;
  sourceLanguage: string;
  date: string;
  status?: string;
}

const ago = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString();
const transcriptions = (): Transcription[] => [
  {
    id: "t1",
    title: "Harbour talk",
    text: "The harbour is quiet.",
    translatedText: "El puerto está tranquilo.",
    sourceLanguage: "en",
    date: ago(0.1),
    status: "completed",
  },
  { id: "t2", title: "Waiting for words", text: "", translatedText: "", sourceLanguage: "de-DE", date: ago(3) },
  { id: "t3", title: "Broken wave", text: "", translatedText: "", sourceLanguage: "en", date: ago(40), status: "exploded" },
];

const totals = { totalViews: 33, totalLikes: 2, totalDislikes: 1, avgEngagementRate: 0.09 };
const analytics = {
  overview: { totalPosts: 2, ...totals, publishedPosts: 2, draftPosts: 0, generatedPosts: 1, manualPosts: 1 },
  topPosts: [{ id: 1, title: "Listening well", views: 30, likes: 2, engagementScore: 40 }],
  recentActivity: [{ type: "post_viewed", postTitle: "Harbours", count: 3, date: "2026-11-20" }],
  topTopics: [{ topic: "speech", count: 1 }],
  engagementTrends: { daily: [{ date: "2026-11-20", views: 3, likes: 0, dislikes: 0 }] },
};
const schedule = {
  enabled: false,
  nextRunTime: null,
  lastRunTime: null,
  postsGenerated: 0,
  postsSkipped: 0,
  status: "paused",
  errorMessage: null,
};

interface Asked {
  /** The values of the path's parameters. */
  id: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  /** The user's e-mail from the bearer token; "" without one. */
  email: string;
}
/** Status and JSON of an answer; `undefined` means no body. */
type Answer = readonly [number, unknown?];

const refusal = (status: number, message: string): Answer => [status, { message }];
const unauthorized = refusal(401, "Unauthorized");
const missing = refusal(404, "Not found");

/** A signed token holds exp and "user identity claims": this one has the e-mail, and neither `sub` nor `iat`. */
function tokenOf(email: string): string {
  const part = (value: unknown) => btoa(JSON.stringify(value)).replace(/=+$/, "");
  return `${part({ alg: "HS256", typ: "JWT" })}.${part({ email, exp: Math.floor(Date.now() / 1000) + 3600 })}.x`;
}

function emailOf(request: Request): string {
  const payload = request.headers.get("Authorization")?.split(".")[1];
  return payload === undefined ? "" : JSON.parse(atob(payload)).email;
}

/** Answers by method and path with {id}, in the order of SPEC.md section 7. */
function table() {
  let written = transcriptions();
  let published = posts();
  let lastId = 10;
  const signedIn = (answer: (asked: Asked) => Answer) => (asked: Asked) => (asked.email === "" ? unauthorized : answer(asked));
  const admin = (answer: (asked: Asked) => Answer) => (asked: Asked) =>
    people[asked.email]?.profile.is_superuser === true ? answer(asked) : refusal(401, "Unauthorized: Admin access required");
  const postAt = (id: string) => published.find((post) => String(post.id) === id);
  const ofPost = (answer: (post: Post, asked: Asked) => Answer) => (asked: Asked) => {
    const post = postAt(asked.id);
    return post === undefined ? missing : answer(post, asked);
  };
  const page = <Item>(items: readonly Item[], query: URLSearchParams, limit: number) => {
    const number = Number(query.get("page") ?? 1);
    const size = Number(query.get("limit") ?? limit);
    return {
      shown: items.slice((number - 1) * size, number * size),
      number,
      size,
      pages: Math.max(1, Math.ceil(items.length / size)),
    };
  };
  const list = ({ query }: Asked): Answer => {
    const { shown, number, pages } = page(published, query, 12);
    return [200, { posts: shown, total: published.length, page: number, totalPages: pages }];
  };
  const calls: Readonly<Record<string, (asked: Asked) => Answer>> = {
    "POST /auth/refresh": () => refusal(401, "No auth token available"),
    "POST /auth/login": ({ body: { email, password } }) => {
      const person = people[String(email)];
      if (person === undefined || password !== "correct horse")
        return refusal(401, "Wrong e-mail or password, says the other server.");
      return [200, { accessToken: tokenOf(String(email)), ...(email === "chief@example.org" && { user: person.profile }) }];
    },
    "POST /auth/register": () => [200, { message: "Look into your mail." }],
    "POST /auth/logout": () => [200, { message: "Bye" }],
    "GET /auth/ping": () => [200],
    "GET /users/me": signedIn(({ email }) => [200, people[email]?.profile]),
    "GET /subscriptions/me": signedIn(({ email }) => [200, { subscription: people[email]?.subscription ?? null }]),
    "POST /subscriptions/create-checkout-session": signedIn(() => [200, { url: "https://pay.example.org/1" }]),
    "POST /subscriptions/cancel": signedIn(() => [200]),
    "GET /subscriptions/account/subscription": signedIn(({ email }) => {
      const subscription = people[email]?.subscription;
      return subscription ? [200, subscription] : missing;
    }),
    "POST /subscriptions/account/checkout-session": signedIn(() => [200, { url: "https://pay.example.org/2" }]),
    "POST /subscriptions/account/cancel-subscription": signedIn(() => [200]),
    "POST /subscriptions/account/billing-portal": signedIn(() => [200, { url: "https://pay.example.org/3" }]),
    "GET /api/v1/audio-transcriptions/transcription-history": signedIn(({ query }) => {
      const search = query.get("search")?.toLowerCase() ?? "";
      const found = written.filter(({ title, text }) => `${title} ${text}`.toLowerCase().includes(search));
      const { shown, number, size, pages } = page(found, query, 20);
      return [200, { data: shown, pagination: { page: number, limit: size, total: found.length, totalPages: pages } }];
    }),
    "DELETE /audio/remove-transcription/{id}": signedIn(({ id }) => {
      if (!written.some((one) => one.id === id)) return missing;
      written = written.filter((one) => one.id !== id);
      return [200, { message: "Removed" }];
    }),
    "PUT /audio/remove-transcription/{id}": signedIn(({ id, body }) => {
      const one = written.find((other) => other.id === id);
      if (one === undefined) return missing;
      for (const field of ["title", "text", "translatedText"] as const)
        if (typeof body[field] === "string") one[field] = body[field];
      return [200, one];
    }),
    "POST /api/v1/audio-transcriptions/save-final-transcription": signedIn(({ body }) => {
      lastId += 1;
      const text = (field: string) => String(body[field] ?? "");
      const saved = { id: `t${lastId}`, title: text("title"), text: text("text"), translatedText: text("translatedText") };
      const one = {
        ...saved,
        sourceLanguage: text("sourceLanguage"),
        date: text("date"),
        ...(body.status !== undefined && { status: text("status") }),
      };
      written = [one, ...written];
      return [200, one];
    }),
    "GET /blog": ({ query }) => {
      const topics = query.get("topics")?.split(",") ?? [];
      const found = published.filter((post) => topics.every((topic) => post.topics.includes(topic)));
      return [200, page(found, query, 12).shown];
    },
    "GET /blog/popular": ({ query }) => [200, page(published, query, 5).shown],
    "GET /blog/{id}": ({ id }) => {
      const post = published.find(({ slug }) => slug === id);
      return post === undefined ? missing : [200, post];
    },
    "POST /blog/{id}/like": ofPost((post) => {
      post.likes += 1;
      return [200, { success: true }];
    }),
    "POST /blog/{id}/dislike": ofPost((post) => {
      post.dislikes += 1;
      return [200];
    }),
    "POST /blog/{id}/remove-reaction": ofPost(() => [200, { success: true }]),
    "GET /admin/blog/analytics": admin(() => [200, analytics]),
    "POST /admin/blog/generate": admin(() => [200, { post: { title: "Made up", content: "By a machine." } }]),
    "POST /admin/blog/generate-unique": admin(() => [200, { title: "Made up anew", content: "By a machine." }]),
    "GET /admin/blog/diversity-stats": admin(() => [200, { totalPosts: 2, topics: { speech: 1 } }]),
    "POST /admin/blog": admin(({ body }) => {
      lastId += 1;
      const title = String(body.title);
      const slug = String(body.slug ?? title.toLowerCase().replace(/[^a-z0-9]+/g, "-"));
      const post = { id: lastId, title, slug, likes: 0, dislikes: 0, views: 0, topics: [], language: "en", generated: false };
      published = [{ ...post, content: String(body.content) }, ...published];
      return [201, published[0]];
    }),
    "GET /admin/blog": admin(list),
    "GET /admin/blog/scheduled-status": admin(() => [200, schedule]),
    "GET /admin/blog/{id}": admin(ofPost((post) => [200, post])),
    "PUT /admin/blog/{id}": admin(
      ofPost((post, { body }) => {
        if (typeof body.title === "string") post.title = body.title;
        if (typeof body.content === "string") post.content = body.content;
        return [200, post];
      }),
    ),
    "DELETE /admin/blog/{id}": admin(
      ofPost((gone) => {
        published = published.filter((post) => post !== gone);
        return [200, { message: "Deleted" }];
      }),
    ),
    "POST /admin/blog/upload-image": admin(() => [200, { imageUrl: "https://images.example.org/1.png" }]),
    "POST /admin/blog/trigger-scheduled": admin(() => [200, { message: "Triggered" }]),
    "POST /admin/blog/skip-next-scheduled": admin(() => [200, { message: "Skipped" }]),
    "GET /languages": () => [200, { languages: [{ code: "en", name: "English", nativeName: "English" }] }],
    "GET /": () => [200, { status: "ok" }],
  };
  return calls;
}

async function asked({ request, params }: ReceivedCall): Promise<Asked> {
  const isJson = request.headers.get("Content-Type")?.startsWith("application/json") === true;
  const text = isJson ? await request.text() : "";
  return {
    id: String(params.id ?? ""),
    query: new URL(request.url).searchParams,
    body: text === "" ? {} : JSON.parse(text),
    email: emailOf(request),
  };
}

/** Serves the same posts and transcriptions to every user. `calls` records each known call, as "GET /users/me". */
export function otherServer(): { answers: Answers; calls: string[] } {
  const calls: string[] = [];
  const known = Object.entries(table()).map(([name, answer]): [string, Answers[string]] => [
    name.replace("{id}", ":id"),
    async (call) => {
      const wanted = await asked(call);
      calls.push(name.replace("{id}", wanted.id));
      const [status, json] = answer(wanted);
      return json === undefined ? new Response(null, { status }) : Response.json(json, { status });
    },
  ]);
  const unknown = ["GET", "POST", "PUT", "PATCH", "DELETE"].map((method): [string, Answers[string]] => [
    `${method} /*`,
    () => Response.json({ message: "Not found" }, { status: 404 }),
  ]);
  return { answers: Object.fromEntries([...known, ...unknown]), calls };
}
