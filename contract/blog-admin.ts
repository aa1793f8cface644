import * as v from "valibot";
import { BlogDraft } from "./blog.ts";

export const tones = ["neutral", "friendly", "professional", "enthusiastic", "humorous", "storytelling"] as const;
export const Tone = v.picklist(tones);
export type Tone = v.InferOutput<typeof Tone>;

export const postLengths = ["short", "medium", "long"] as const;
export const PostLength = v.picklist(postLengths);
export type PostLength = v.InferOutput<typeof PostLength>;
/** The approximate number of words. */
export const wordsOf: Readonly<Record<PostLength, number>> = { short: 300, medium: 700, long: 1400 };

/** In characters. */
export const maxTopic = 300;
export const maxAudience = 200;

const style = {
  tone: v.optional(Tone, "friendly"),
  language: BlogDraft.entries.language,
  length: v.optional(PostLength, "medium"),
  audience: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(maxAudience)), ""),
};

/** POST /admin/blog/generate */
export const GenerationRequest = v.object({
  topic: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(maxTopic)),
  ...style,
});
export type GenerationRequest = v.InferInput<typeof GenerationRequest>;

/** POST /admin/blog/generate-unique: the model chooses a topic that is new to the blog. */
export const UniqueRequest = v.object({
  ...style,
  hint: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(maxTopic)), ""),
});
export type UniqueRequest = v.InferInput<typeof UniqueRequest>;

const head = {
  title: v.string(),
  /** One or two sentences; "" when the model gave none. */
  summary: v.optional(v.string(), ""),
  topics: v.optional(v.array(v.string()), () => []),
};
/** The header fields of a post, sent before its text. */
export const GeneratedHead = v.object(head);
export type GeneratedHead = v.InferOutput<typeof GeneratedHead>;

/** The response of both; it fits into a `BlogDraft`, with `generated: true`. */
export const GeneratedPost = v.object({
  ...head,
  /** Markdown. */
  content: v.string(),
  language: v.optional(v.string(), "en"),
});
export type GeneratedPost = v.InferOutput<typeof GeneratedPost>;

/** `choosing`: selects a topic. `writing`: the text begins, replacing an earlier one. */
export const GenerationStep = v.picklist(["choosing", "writing"]);
export type GenerationStep = v.InferOutput<typeof GenerationStep>;

/**
 * The events of both calls with `Accept: text/event-stream`. The data is one of these objects; the event's name is that
 * of its member. `post` or `error` comes last.
 */
export const GenerationEvent = v.union([
  v.object({ step: GenerationStep }),
  v.object({ head: GeneratedHead }),
  /** A piece of Markdown, to be appended. */
  v.object({ text: v.string() }),
  v.object({ post: GeneratedPost }),
  /** As in the body of an error response. */
  v.object({ error: v.object({ code: v.string(), message: v.string() }) }),
]);
export type GenerationEvent = v.InferOutput<typeof GenerationEvent>;

/** Suggestions from the statistics; the page puts them into words. */
export const Suggestion = v.variant("kind", [
  v.object({ kind: v.literal("begin") }),
  /** The topic unused for longest. `days`: since then. */
  v.object({ kind: v.literal("neglected"), topic: v.string(), days: v.number() }),
  /** The topic of this share (0 to 1) of all posts. */
  v.object({ kind: v.literal("dominant"), topic: v.string(), share: v.number() }),
  v.object({ kind: v.literal("similar") }),
  /** Posts without topics are never found by a filter. */
  v.object({ kind: v.literal("untagged"), count: v.number() }),
  v.object({ kind: v.literal("oneLanguage"), language: v.string() }),
  /** This share (0 to 1) was generated. */
  v.object({ kind: v.literal("mostlyGenerated"), share: v.number() }),
]);
export type Suggestion = v.InferOutput<typeof Suggestion>;

const count = v.optional(v.number(), 0);
const TitleOfPost = v.object({ id: v.string(), title: v.string() });

/** The response as the page accepts it: SPEC.md shows no shape, and some servers wrap it. */
export const AcceptedGenerated = v.pipe(
  v.union([
    v.object({ post: v.record(v.string(), v.unknown()) }),
    v.object({ data: v.record(v.string(), v.unknown()) }),
    v.record(v.string(), v.unknown()),
  ]),
  v.transform((sent) => ("post" in sent ? sent.post : "data" in sent ? sent.data : sent)),
  v.object({
    title: v.string(),
    summary: v.fallback(v.string(), ""),
    topics: v.fallback(v.array(v.string()), () => []),
    content: v.string(),
    language: v.fallback(v.string(), "en"),
  }),
);

/**
 * GET /admin/blog/diversity-stats. Drafts count, too: they are published next. Shares go from 0 to 1, dates are ISO
 * 8601.
 */
export const DiversityStats = v.object({
  /** Whether a language model is configured; its name. */
  available: v.optional(v.boolean(), true),
  model: v.optional(v.nullable(v.string()), null),
  posts: count,
  published: count,
  generated: count,
  manual: count,
  /** Posts without topics. */
  untagged: count,
  /** The number of distinct topics; `topics` holds the most frequent, with the share of posts that have it. */
  topicsTotal: count,
  topics: v.optional(v.array(v.object({ topic: v.string(), count: v.number(), share: v.number() })), () => []),
  /**
   * How evenly posts spread over topics: 0 (one has nearly all) to 1 (all have the same); null for fewer than two
   * topics.
   */
  evenness: v.optional(v.nullable(v.number()), null),
  languages: v.optional(v.array(v.object({ language: v.string(), count: v.number() })), () => []),
  /** The two most similar titles among the latest `comparedTitles`; `similarity` 0 to 1. Null for fewer than two. */
  similar: v.optional(v.nullable(v.object({ first: TitleOfPost, second: TitleOfPost, similarity: v.number() })), null),
  comparedTitles: count,
  /** Topics unused for longest, oldest first. */
  neglected: v.optional(v.array(v.object({ topic: v.string(), lastAt: v.string() })), () => []),
  suggestions: v.optional(v.array(Suggestion), () => []),
});
export type DiversityStats = v.InferOutput<typeof DiversityStats>;
/** As the page accepts it: an answer of another shape is ignored. */
export const AcceptedStats = v.fallback(DiversityStats, () => v.parse(DiversityStats, {}));

export interface GeneratorForm {
  topic: string;
  tone: Tone;
  language: string;
  length: PostLength;
  audience: string;
}

/** About the given topic, or about a topic that is new to the blog. */
export type GeneratorMode = "topic" | "surprise";

/** `detail`: the server's own message. */
export interface GeneratorFailure {
  code: string;
  detail: string | null;
}

/** Emitted by the actor `generate`, as the server's answer streams in. */
export type GenerationProgress =
  | { type: "step.came"; step: GenerationStep }
  | { type: "head.came"; head: GeneratedHead }
  | { type: "text.came"; text: string }
  | { type: "post.came"; post: GeneratedPost }
  | { type: "generation.failed"; failure: GeneratorFailure };
