import { availableParallelism } from "node:os";
import { Hono } from "hono";
import { SpeechRequest } from "#contract/index.ts";
import { describeError, type Log } from "#server/common/log.ts";
import { Problem } from "#server/common/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { type Places, speechShare } from "#server/http/places.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import { SpeakingError, type SpeechSynthesizer } from "#server/speech/espeak.ts";
import { Slots } from "#server/threads/slots.ts";

interface Parts extends SignInParts {
  log: Log;
  synthesizer: SpeechSynthesizer;
  places: Places;
}

/** Rejects requests for a moment when too many are waiting. */
const longestQueue = 20;

/** POST /api/v1/speech: text-to-speech. */
export function speechRoutes({ synthesizer, log, ...deps }: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const slots = new Slots(availableParallelism());
  let asked = 0;

  app.post("/api/v1/speech", requireUser(deps), async (c) => {
    const { text, language, rate } = await readJson(c, SpeechRequest);
    if (synthesizer.languages === undefined) throw new Problem("engineUnavailable", "Nothing on this server reads aloud.");
    if (!synthesizer.supports(language)) throw new Problem("languageUnavailable", `There is no voice for "${language}".`);
    if (asked >= longestQueue) throw new Problem("tooManyRequests", undefined, { retryAfter: 1 });
    const { signal } = c.req.raw;
    asked += 1;
    try {
      const wav = await deps.places.run(speechShare, c.var.user.id, signal, () =>
        slots.run(signal, () => synthesizer.speak({ text, language, rate, signal })),
      );
      return c.body(new Uint8Array(wav), 200, { "Content-Type": "audio/wav", "Content-Length": String(wav.length) });
    } catch (error) {
      if (error instanceof Problem) throw error;
      // The client has disconnected.
      if (signal.aborted) throw new Problem("interrupted", undefined, { cause: error });
      log.warn("speech", describeError(error));
      const isLate = error instanceof SpeakingError && error.late;
      throw new Problem(isLate ? "engineTimeout" : "engineFailed", undefined, { cause: error });
    } finally {
      asked -= 1;
    }
  });
  return app;
}
