import { parse } from "valibot";
import { BlogDraft, type RunReason } from "#contract/index.ts";
import { digestIn } from "#server/blog/digest-tasks.ts";
import type { Digest } from "#server/blog/plain-text.ts";
import { createPost, type Draft } from "#server/blog/posts.ts";
import { DatabaseGoneError } from "#server/db/errors.ts";
import { Problem, sentenceOf } from "#server/errors/problem.ts";
import { describeError } from "#server/log/log.ts";
import { theServer } from "#server/threads/slots.ts";
import type { SchedulerParts } from "./parts.ts";
import { changeRun, countRun, type RunRow } from "./queries.ts";

/**
 * Generates a post with the model and publishes it; failures are recorded with the run. Nothing is recorded for a run
 * that another process has taken over, or that the signal has aborted.
 * @throws DatabaseGoneError
 */
export async function postRun(parts: SchedulerParts, run: RunRow, signal: AbortSignal): Promise<void> {
  const { generator, config, log, threads } = parts;
  try {
    const { language, about } = config.schedule;
    const written = await generator.generateUnique({ language, hint: about }, { signal });
    const draft = parse(BlogDraft, { ...written, status: "published", generated: true });
    const digest = await digestIn(threads, draft.content, theServer);
    signal.throwIfAborted();
    await publish(parts, run, draft, digest);
  } catch (error) {
    if (signal.aborted || error instanceof LeaseLostError) return;
    // Without the database the outcome is unknown. The run is retried, here or elsewhere, once its lease has expired.
    if (error instanceof DatabaseGoneError) throw error;
    const end = endOf(error);
    log.warn("scheduled post not written", { run: run.id, reason: end.reason, ...describeError(error) });
    await finish(parts, run, end);
  }
}

/** Another process has taken over the run. */
class LeaseLostError extends Error {}

/** Stores the post and the end of the run in one transaction, so a run never publishes a second post. */
function publish({ db, now }: SchedulerParts, run: RunRow, draft: Draft, digest: Digest): Promise<void> {
  return db.transaction().execute(async (t) => {
    const { id, slug, title } = await createPost({ db: t, now }, draft, digest, { authorId: null });
    const post = { post_id: id, post_slug: slug, post_title: title };
    if (!(await changeRun(t, run, { outcome: "posted", finished_at: now(), ...post }))) throw new LeaseLostError();
    await countRun(t, "posted");
  });
}

interface End {
  outcome: "skipped" | "failed";
  reason: RunReason;
  message: string;
}

function endOf(error: unknown): End {
  if (!(error instanceof Problem)) return { outcome: "failed", reason: "internal", message: sentenceOf("internal") };
  const { code, message } = error;
  if (code === "noNewTopic") return { outcome: "skipped", reason: "nothingNew", message };
  if (code === "chatUnavailable") return { outcome: "skipped", reason: "noModel", message };
  return { outcome: "failed", reason: code === "chatFailed" ? "modelFailed" : "internal", message };
}

async function finish({ db, now }: SchedulerParts, run: RunRow, end: End): Promise<void> {
  await db.transaction().execute(async (t) => {
    if (await changeRun(t, run, { ...end, finished_at: now() })) await countRun(t, end.outcome);
  });
}
