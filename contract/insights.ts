import * as v from "valibot";
import { InterfaceLanguage } from "./account.ts";
import { Span } from "./transcription.ts";

/** The results that a language model makes of a transcript. `answer` is the answer to a question. */
export const insightKinds = ["summary", "tasks", "chapters", "answer"] as const;
export const InsightKind = v.picklist(insightKinds);
export type InsightKind = v.InferOutput<typeof InsightKind>;

/** Templates for summaries, by the kind of recording. */
export const builtInTemplates = ["meeting", "interview", "lecture", "memo"] as const;
export const BuiltInTemplate = v.picklist(builtInTemplates);
export type BuiltInTemplate = v.InferOutput<typeof BuiltInTemplate>;

/** In characters. */
export const insightLimits = { question: 1000, task: 500, owner: 80, templateName: 60, templatePrompt: 2000 } as const;
/** Most questions stored for each transcript: one more deletes the oldest. */
export const keptAnswers = 50;
/** Most templates of a user. */
export const maxTemplates = 30;

/** An existing day in ISO 8601: "2026-03-01". */
export const Day = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}$/),
  v.check((text) => isDay(text), "must be a valid date"),
);

function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Somebody's task. */
export const Task = v.object({
  /** The name as in the transcript; null when nobody was named. */
  owner: v.nullable(v.string()),
  due: v.nullable(Day),
  done: v.boolean(),
});
export type Task = v.InferOutput<typeof Task>;

/**
 * A sentence, a task or a chapter. It is plain text written by a model: it is shown unchanged, and never interpreted.
 */
export const Point = v.object({
  text: v.string(),
  /** Where it was said: times of the transcript's segments, in order. For a chapter: its beginning and end. */
  spans: v.pipe(v.array(Span), v.minLength(1)),
  /** In a summary: the heading of this point and the next ones. */
  heading: v.optional(v.string()),
  /** Only for tasks. */
  task: v.optional(Task),
});
export type Point = v.InferOutput<typeof Point>;

export const Insight = v.object({
  id: v.string(),
  kind: InsightKind,
  /** For a summary: a built-in template, or the name of the user's own; null otherwise. */
  template: v.nullable(v.string()),
  /** Only for an answer. */
  question: v.nullable(v.string()),
  /** Empty when there are no tasks, or the transcript does not answer the question. */
  points: v.array(Point),
  /** Number of the model's sentences left out because nothing in the transcript supports them. */
  omitted: v.number(),
  model: v.string(),
  /** ISO 8601, UTC. */
  createdAt: v.string(),
  outdated: v.boolean(),
});
export type Insight = v.InferOutput<typeof Insight>;

/** The model that gets the text, and its host. `offline`: the text stays on the server's machine. */
export const InsightModel = v.object({ name: v.string(), host: v.string(), offline: v.boolean() });
export type InsightModel = v.InferOutput<typeof InsightModel>;

/**
 * GET /api/v1/audio-transcriptions/transcription/{id}/insights, the oldest first. `model` is null when none is set up.
 */
export const InsightsAnswer = v.object({ model: v.nullable(InsightModel), insights: v.array(Insight) });
export type InsightsAnswer = v.InferOutput<typeof InsightsAnswer>;

/** The language of the result; null: that of the transcript. */
const language = v.optional(v.nullable(InterfaceLanguage), null);

/** A built-in template, or the id of a user's own. */
const TemplateKey = v.union([BuiltInTemplate, v.pipe(v.string(), v.uuid())]);

/**
 * POST /api/v1/audio-transcriptions/transcription/{id}/insights. A transcription has one summary, one list of tasks and
 * one of chapters. A new one replaces the old one once it is complete; tasks in both stay done.
 */
export const InsightRequest = v.variant("kind", [
  v.object({ kind: v.literal("summary"), template: TemplateKey, language }),
  v.object({ kind: v.literal("tasks"), language }),
  v.object({ kind: v.literal("chapters"), language }),
  v.object({
    kind: v.literal("answer"),
    question: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(insightLimits.question)),
    language,
  }),
]);
export type InsightRequest = v.InferOutput<typeof InsightRequest>;

/** How much of a long transcript has been read. The last step combines all parts. */
export const InsightProgress = v.object({ done: v.number(), total: v.number() });
export type InsightProgress = v.InferOutput<typeof InsightProgress>;

/**
 * The response: server-sent events. The data is one of these objects; the event's name is that of its member. `insight`
 * or `error` comes last. Closing the connection stops the work, and nothing is stored.
 */
export const InsightEvent = v.union([
  v.object({ progress: InsightProgress }),
  /** Sent as the model writes them; a point is complete when the next one begins. */
  v.object({ point: Point }),
  v.object({ insight: Insight }),
  /** As in the body of an error response. */
  v.object({ error: v.object({ code: v.string(), message: v.string() }) }),
]);
export type InsightEvent = v.InferOutput<typeof InsightEvent>;

/** PATCH …/insights/{insight}: changes one task. The response is the insight. */
export const TaskChange = v.object({
  /** Index in `points`. */
  index: v.pipe(v.number(), v.integer(), v.minValue(0)),
  text: v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(insightLimits.task))),
  owner: v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(insightLimits.owner)))),
  due: v.optional(v.nullable(Day)),
  done: v.optional(v.boolean()),
});
export type TaskChange = v.InferOutput<typeof TaskChange>;

/** A task after a change; absent fields stay unchanged. @param task the point's task */
export function withTaskChange(point: Point, task: Task, change: TaskChange): Point {
  const { text = point.text, owner = task.owner, due = task.due, done = task.done } = change;
  return { ...point, text, task: { owner, due, done } };
}

/** DELETE …/insights/{insight}. */
export const InsightDeletion = v.object({ id: v.string() });
export type InsightDeletion = v.InferOutput<typeof InsightDeletion>;

/** A user's own template: instructions for a summary in the user's words. */
export const Template = v.object({ id: v.string(), name: v.string(), prompt: v.string() });
export type Template = v.InferOutput<typeof Template>;

/** POST /users/me/insight-templates; PUT …/{id} replaces one. */
export const TemplateDraft = v.object({
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(insightLimits.templateName)),
  prompt: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(insightLimits.templatePrompt)),
});
export type TemplateDraft = v.InferOutput<typeof TemplateDraft>;

/**
 * PUT /users/me/insight-templates/folders/{folder}: the default template for summaries of its transcripts; null: none.
 */
export const FolderTemplateDraft = v.object({ template: v.nullable(TemplateKey) });
export type FolderTemplateDraft = v.InferOutput<typeof FolderTemplateDraft>;

export const FolderTemplate = v.object({ folderId: v.string(), template: v.string() });
export type FolderTemplate = v.InferOutput<typeof FolderTemplate>;

/** GET /users/me/insight-templates, sorted by name; the response of every call about templates. */
export const TemplatesAnswer = v.object({
  templates: v.array(Template),
  /** Default templates of the user's folders; other servers may have none. */
  defaults: v.optional(v.array(FolderTemplate), []),
});
export type TemplatesAnswer = v.InferOutput<typeof TemplatesAnswer>;

/** Emitted by the actor `make`, as the server's answer streams in. */
export type InsightMaking =
  | { type: "progress.came"; progress: InsightProgress }
  | { type: "point.came"; point: Point }
  /** The insight is complete, and stored. */
  | { type: "insight.came"; insight: Insight }
  /** `until`: when the request can be repeated after too many (epoch ms). */
  | { type: "making.failed"; code: string; until?: number };
