import * as v from "valibot";
import { InterfaceLanguage } from "./account.ts";
import { Span } from "./transcription.ts";

/** What a language model makes of a transcript. An `answer` is to a question. */
export const insightKinds = ["summary", "tasks", "chapters", "answer"] as const;
export const InsightKind = v.picklist(insightKinds);
export type InsightKind = v.InferOutput<typeof InsightKind>;

/** What a summary looks at, by what was recorded. */
export const builtInTemplates = ["meeting", "interview", "lecture", "memo"] as const;
export const BuiltInTemplate = v.picklist(builtInTemplates);
export type BuiltInTemplate = v.InferOutput<typeof BuiltInTemplate>;

/** In characters. */
export const insightLimits = { question: 1000, task: 500, owner: 80, templateName: 60, templatePrompt: 2000 } as const;
/** Questions that are kept for each transcript: the oldest goes when there is one more. */
export const keptAnswers = 50;
/** Templates of one's own. */
export const maxTemplates = 30;

/** A day that exists, as ISO 8601 writes it: "2026-03-01". */
export const Day = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}$/),
  v.check((text) => isDay(text), "must be a day that exists"),
);

function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** What somebody has to do. */
export const Task = v.object({
  /** As the transcript calls them; null: nobody was named. */
  owner: v.nullable(v.string()),
  due: v.nullable(Day),
  done: v.boolean(),
});
export type Task = v.InferOutput<typeof Task>;

/** A sentence, a task or a chapter. All of it is plain text that a model wrote: it is shown as it is, and never followed. */
export const Point = v.object({
  text: v.string(),
  /** Where it was said, in the transcript's order: times of its segments. Of a chapter: from its beginning to its end. */
  spans: v.pipe(v.array(Span), v.minLength(1)),
  /** Of a summary: what it and those after it are about. */
  heading: v.optional(v.string()),
  /** Of tasks alone. */
  task: v.optional(Task),
});
export type Point = v.InferOutput<typeof Point>;

export const Insight = v.object({
  id: v.string(),
  kind: InsightKind,
  /** Of a summary: a built-in template, or the name of one of their own; null otherwise. */
  template: v.nullable(v.string()),
  /** Of an answer. */
  question: v.nullable(v.string()),
  /** No points: no tasks, or the transcript does not answer the question. */
  points: v.array(Point),
  /** Sentences of the model that rested on nothing in the transcript, and were left out. */
  omitted: v.number(),
  model: v.string(),
  /** ISO 8601, UTC. */
  createdAt: v.string(),
  outdated: v.boolean(),
});
export type Insight = v.InferOutput<typeof Insight>;

/** Where the text goes when a model is asked; `offline`: it stays on the server's machine. */
export const InsightModel = v.object({ name: v.string(), host: v.string(), offline: v.boolean() });
export type InsightModel = v.InferOutput<typeof InsightModel>;

/** GET /api/v1/audio-transcriptions/transcription/{id}/insights, the oldest first. `model` null: none is set up. */
export const InsightsAnswer = v.object({ model: v.nullable(InsightModel), insights: v.array(Insight) });
export type InsightsAnswer = v.InferOutput<typeof InsightsAnswer>;

/** The language of the result; null: that of the transcript. */
const language = v.optional(v.nullable(InterfaceLanguage), null);

/** A built-in template, or the id of one of their own. */
const TemplateKey = v.union([BuiltInTemplate, v.pipe(v.string(), v.uuid())]);

/**
 * POST /api/v1/audio-transcriptions/transcription/{id}/insights. There is one summary, one list of tasks and one of chapters, which a new one
 * replaces once it is complete; tasks that are in both stay done.
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

/** How much of a long transcript has been read; the last step makes one of all parts. */
export const InsightProgress = v.object({ done: v.number(), total: v.number() });
export type InsightProgress = v.InferOutput<typeof InsightProgress>;

/**
 * The answer: server-sent events, whose data is one of these; the event's name is the member's. `insight` or `error` comes last. Who closes the
 * connection stops the work, and nothing is stored.
 */
export const InsightEvent = v.union([
  v.object({ progress: InsightProgress }),
  /** As the model writes them: the next one comes after it. */
  v.object({ point: Point }),
  v.object({ insight: Insight }),
  /** As in the body of an error answer. */
  v.object({ error: v.object({ code: v.string(), message: v.string() }) }),
]);
export type InsightEvent = v.InferOutput<typeof InsightEvent>;

/** PATCH …/insights/{insight}: changes one task. The answer is the insight. */
export const TaskChange = v.object({
  /** Its place in `points`. */
  index: v.pipe(v.number(), v.integer(), v.minValue(0)),
  text: v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(insightLimits.task))),
  owner: v.optional(v.nullable(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(insightLimits.owner)))),
  due: v.optional(v.nullable(Day)),
  done: v.optional(v.boolean()),
});
export type TaskChange = v.InferOutput<typeof TaskChange>;

/** A task as a change makes it: what the change does not name stays. @param task the point's, which has one */
export function withTaskChange(point: Point, task: Task, change: TaskChange): Point {
  const { text = point.text, owner = task.owner, due = task.due, done = task.done } = change;
  return { ...point, text, task: { owner, due, done } };
}

/** DELETE …/insights/{insight}. */
export const InsightDeletion = v.object({ id: v.string() });
export type InsightDeletion = v.InferOutput<typeof InsightDeletion>;

/** A template of one's own: what a summary is to look at, in one's own words. */
export const Template = v.object({ id: v.string(), name: v.string(), prompt: v.string() });
export type Template = v.InferOutput<typeof Template>;

/** POST /users/me/insight-templates; PUT …/{id} replaces one. */
export const TemplateDraft = v.object({
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(insightLimits.templateName)),
  prompt: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(insightLimits.templatePrompt)),
});
export type TemplateDraft = v.InferOutput<typeof TemplateDraft>;

/** PUT /users/me/insight-templates/folders/{folder}: what a summary of its transcripts looks at unless another is chosen; null: nothing special. */
export const FolderTemplateDraft = v.object({ template: v.nullable(TemplateKey) });
export type FolderTemplateDraft = v.InferOutput<typeof FolderTemplateDraft>;

export const FolderTemplate = v.object({ folderId: v.string(), template: v.string() });
export type FolderTemplate = v.InferOutput<typeof FolderTemplate>;

/** GET /users/me/insight-templates, by name; every call about templates is answered with it. */
export const TemplatesAnswer = v.object({
  templates: v.array(Template),
  /** Of the person's folders; other servers may know none. */
  defaults: v.optional(v.array(FolderTemplate), []),
});
export type TemplatesAnswer = v.InferOutput<typeof TemplatesAnswer>;

/** Emitted by the actor `make`, as the server's answer streams in. */
export type InsightMaking =
  | { type: "progress.came"; progress: InsightProgress }
  | { type: "point.came"; point: Point }
  /** It is complete, and stored. */
  | { type: "insight.came"; insight: Insight }
  /** `until`: when it can be asked again (epoch ms), where it was asked too often. */
  | { type: "making.failed"; code: string; until?: number };
