import { randomUUID } from "node:crypto";
import type { Insight, InsightEvent, InsightRequest, Point } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import type { Log } from "#server/log/log.ts";
import type { Threads } from "#server/threads/threads.ts";
import type { TranscriptionRow } from "#server/transcription/queries.ts";
import { transcriptTasks } from "#server/transcription/thread-tasks.ts";
import { asChatProblem, type LanguageModel } from "./language-model.ts";
import { type Made, makeInsight } from "./make.ts";
import { isBuiltIn, type Wanted } from "./prompts.ts";
import { findInsightOfKind, findText, hashOf, insertInsight, insightOf, listTemplates, pointsOf } from "./queries.ts";

interface Parts {
  db: Db;
  now: () => number;
  log: Log;
  threads: Threads;
  languageModel: LanguageModel;
}

interface CreateOptions {
  /** Stops the model; nothing is stored then. */
  signal: AbortSignal;
  send: (event: InsightEvent) => void;
}

/**
 * Has the language model read a transcript, and stores the result when it is complete.
 * @throws Problem `noSpeech`, `chatFailed`, `notFound` if the transcription or the template no longer exists; the
 *   signal's reason when it is aborted
 */
export async function createInsight(
  { db, now, log, threads, languageModel }: Parts,
  row: TranscriptionRow,
  request: InsightRequest,
  { signal, send }: CreateOptions,
): Promise<Insight> {
  const { wanted, template } = await wantedBy(db, row, request);
  const own = { person: row.user_id, size: row.segments.length };
  const lines = await threads.run(transcriptTasks.spokenLines, row.segments, own);
  if (lines.length === 0) throw new Problem("noSpeech", "The transcript has no words.");
  const { chat, contextTokens } = languageModel;
  const made = await makeInsight(chat, wanted, lines, {
    contextTokens,
    signal,
    onProgress: (progress) => send({ progress }),
    onPoint: (point) => send({ point }),
  }).catch((error: unknown) => {
    throw asChatProblem(error, languageModel, log);
  });
  signal.throwIfAborted();
  const stored = {
    id: randomUUID(),
    user_id: row.user_id,
    transcription_id: row.id,
    kind: request.kind,
    template,
    question: wanted.question,
    omitted: made.omitted,
    model: chat.model,
    text_hash: hashOf(row.text),
    created_at: now(),
  };
  return db.transaction().execute(async (t) => {
    const text = await findText(t, row.user_id, row.id);
    if (text === undefined) throw new Problem("notFound", "This transcription does not exist.");
    const before = request.kind === "tasks" ? await findInsightOfKind(t, row.id, "tasks") : undefined;
    const points = JSON.stringify(stillDone(made, before === undefined ? [] : pointsOf(before)));
    await insertInsight(t, { ...stored, points });
    return insightOf({ ...stored, points }, hashOf(text));
  });
}

/** Tasks that were in the list before stay done. */
function stillDone({ points }: Made, before: readonly Point[]): Point[] {
  const done = new Set(before.flatMap(({ text, task }) => (task?.done === true ? [text] : [])));
  return points.map((point) =>
    point.task !== undefined && done.has(point.text) ? { ...point, task: { ...point.task, done: true } } : point,
  );
}

/** @returns also the template's name, as it is stored */
async function wantedBy(
  db: Db,
  row: TranscriptionRow,
  request: InsightRequest,
): Promise<{ wanted: Wanted; template: string | null }> {
  const base = { kind: request.kind, language: request.language, recordedAt: new Date(row.date).toISOString() };
  if (request.kind === "answer") return { wanted: { ...base, template: null, question: request.question }, template: null };
  if (request.kind !== "summary") return { wanted: { ...base, template: null, question: null }, template: null };
  const { template } = request;
  if (isBuiltIn(template)) return { wanted: { ...base, template, question: null }, template };
  const own = (await listTemplates(db, row.user_id)).find(({ id }) => id === template);
  if (own === undefined) throw new Problem("notFound", "This template does not exist.");
  return { wanted: { ...base, template: { prompt: own.prompt }, question: null }, template: own.name };
}
