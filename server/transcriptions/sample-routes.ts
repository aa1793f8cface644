import { Hono } from "hono";
import { SampleRequest } from "#contract/index.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import { sendTranscription } from "#server/transcription/view.ts";
import { openSample, type SampleParts } from "./sample.ts";

/** A sample transcript to try things with, made only on request. */
export function sampleRoutes(deps: SignInParts & SampleParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.post("/api/v1/audio-transcriptions/sample", requireUser(deps), async (c) => {
    const { title } = await readJson(c, SampleRequest);
    return sendTranscription(c, deps.db, await openSample(deps, { userId: c.var.user.id, title, date: deps.now() }));
  });
  return app;
}
