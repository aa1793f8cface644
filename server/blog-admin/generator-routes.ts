import { type Context, Hono } from "hono";
import {
  type DiversityStats,
  type GeneratedPost,
  type GenerationEvent,
  GenerationRequest,
  UniqueRequest,
} from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import { type Concurrency, generationConcurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { workStream } from "#server/http/work-stream.ts";
import type { Log } from "#server/log/log.ts";
import { type AdminParts, requireSuperuser } from "#server/session/require-user.ts";
import { readDiversity } from "./diversity.ts";
import type { GenerateOptions, Generator } from "./generator.ts";

interface Parts extends AdminParts {
  log: Log;
  generator: Generator;
  concurrency: Concurrency;
}

type Work = (options: GenerateOptions) => Promise<GeneratedPost>;

/** Generates posts with a language model. Nothing is stored here: the caller creates the post. */
export function blogGeneratorRoutes(deps: Parts): Hono<AppEnv> {
  const { generator } = deps;
  const app = new Hono<AppEnv>();
  const answer = async (c: Context<AppEnv>, work: Work): Promise<Response> => {
    const { id } = c.var.user;
    if (!generator.available) throw new Problem("chatUnavailable");
    const giveBack = await slotOf(deps.concurrency, id);
    const once: Work = (options) => work(options).finally(giveBack);
    const isStream = /\btext\/event-stream\b/.test(c.req.header("accept") ?? "");
    if (!isStream) return c.json(await whole(c, once));
    return workStream<GenerationEvent>(c, { ...deps, name: "generating a post" }, async (send, signal) => {
      const onStep: GenerateOptions["onStep"] = (step) => send({ step });
      send({ post: await once({ signal, onStep, onHead: (head) => send({ head }), onText: (text) => send({ text }) }) });
    });
  };

  app.post("/admin/blog/generate", requireSuperuser(deps), async (c) => {
    const request = await readJson(c, GenerationRequest);
    return answer(c, (options) => generator.generate(request, options));
  });

  app.post("/admin/blog/generate-unique", requireSuperuser(deps), async (c) => {
    const request = await readJson(c, UniqueRequest);
    return answer(c, (options) => generator.generateUnique(request, options));
  });

  app.get("/admin/blog/diversity-stats", requireSuperuser(deps), async (c) => {
    const { available, model } = generator;
    return c.json({ available, model, ...(await readDiversity(deps)) } satisfies DiversityStats);
  });
  return app;
}

/**
 * One post at a time for each superuser, over all processes.
 * @returns a function that releases the slot
 */
async function slotOf(concurrency: Concurrency, userId: string): Promise<() => void> {
  try {
    return await concurrency.take(generationConcurrency, userId);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "tooManyAtOnce") throw error;
    throw new Problem("tooManyRequests", "A post is already being written for you. Wait until it is finished.");
  }
}

/** A disconnected client aborts the generation. */
async function whole(c: Context<AppEnv>, work: Work): Promise<GeneratedPost> {
  const { signal } = c.req.raw;
  try {
    return await work({ signal });
  } catch (error) {
    throw signal.aborted ? new Problem("interrupted", "The request was cancelled.") : error;
  }
}
