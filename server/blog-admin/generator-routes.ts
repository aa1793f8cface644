import { type Context, Hono } from "hono";
import {
  type DiversityStats,
  type GeneratedPost,
  type GenerationEvent,
  GenerationRequest,
  UniqueRequest,
} from "#contract/index.ts";
import { describeError, type Log } from "#server/common/log.ts";
import { Problem } from "#server/common/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { generationShare, type Places } from "#server/http/places.ts";
import { requireSuperuser, type SignInParts } from "#server/session/require-user.ts";
import { readDiversity } from "./diversity.ts";
import type { GenerateOptions, Generator } from "./generator.ts";

interface Parts extends SignInParts {
  /** Epoch milliseconds. */
  now: () => number;
  log: Log;
  generator: Generator;
  places: Places;
}

/** Keep-alive interval of a silent stream (milliseconds): a model may think for long. */
const quietMs = 15_000;

type Work = (options: GenerateOptions) => Promise<GeneratedPost>;

/** Generates posts with a language model. Nothing is stored here: the caller creates the post. */
export function blogGeneratorRoutes(deps: Parts): Hono<AppEnv> {
  const { generator } = deps;
  const app = new Hono<AppEnv>();
  const answer = async (c: Context<AppEnv>, work: Work): Promise<Response> => {
    const { id } = c.var.user;
    if (!generator.available) throw new Problem("chatUnavailable");
    const giveBack = await placeOf(deps.places, id);
    const once: Work = (options) => work(options).finally(giveBack);
    const isStream = /\btext\/event-stream\b/.test(c.req.header("accept") ?? "");
    return isStream ? streamed(c, deps, once) : c.json(await whole(c, once));
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

/** One post at a time for each superuser, whichever process writes it. @returns gives the place back */
async function placeOf(places: Places, userId: string): Promise<() => void> {
  try {
    return await places.take(generationShare, userId);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "tooManyAtOnce") throw error;
    throw new Problem("tooManyRequests", "A post is being written for you already. Wait until it is done.");
  }
}

/** A disconnected client aborts the generation. */
async function whole(c: Context<AppEnv>, work: Work): Promise<GeneratedPost> {
  const { signal } = c.req.raw;
  try {
    return await work({ signal });
  } catch (error) {
    throw signal.aborted ? new Problem("interrupted", "The request was called off.") : error;
  }
}

function streamed(c: Context<AppEnv>, { log }: { log: Log }, work: Work): Response {
  const encoder = new TextEncoder();
  const gone = new AbortController();
  const end = new AbortController();
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const write = (text: string) => {
      if (!gone.signal.aborted) controller.enqueue(encoder.encode(text));
    };
    const send = (event: GenerationEvent) => write(`event: ${Object.keys(event)[0]}\ndata: ${JSON.stringify(event)}\n\n`);
    const timer = setInterval(() => write(":\n\n"), quietMs);
    const progress: GenerateOptions = {
      signal: gone.signal,
      onStep: (step) => send({ step }),
      onHead: (head) => send({ head }),
      onText: (text) => send({ text }),
    };
    const finish = () => {
      clearInterval(timer);
      if (!gone.signal.aborted) controller.close();
      end.abort();
    };
    void work(progress)
      .then((post) => send({ post }))
      .catch((error: unknown) => {
        if (!gone.signal.aborted) send({ error: refusalOf(error, log) });
      })
      .finally(finish);
  };
  const cancel = () => gone.abort();
  // A connection lost before the first byte cancels no body.
  c.req.raw.signal.addEventListener("abort", cancel, { signal: end.signal });
  return c.body(new ReadableStream<Uint8Array>({ start, cancel }), 200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    // Reverse proxies must not buffer events.
    "X-Accel-Buffering": "no",
  });
}

function refusalOf(error: unknown, log: Log): { code: string; message: string } {
  const problem = error instanceof Problem ? error : new Problem("internal");
  if (problem.code === "internal") log.error("generating a post", describeError(error));
  return { code: problem.code, message: problem.message };
}
