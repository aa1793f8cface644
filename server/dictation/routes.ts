import { Hono } from "hono";
import { readJsonBytes } from "#server/http/body.ts";
import type { Concurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { takesBody } from "#server/http/limits.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import type { Threads } from "#server/threads/threads.ts";
import { sendTranscription } from "#server/transcription/view.ts";
import { dictationOperations } from "./operations.ts";
import { type SaveParts, saveFinal } from "./save-final.ts";
import { dictationTasks } from "./thread-tasks.ts";

/** Ten hours of dictation with word timestamps are about 7 MB of JSON. */
const dictationBytes = 8 * 1024 * 1024;

interface Parts extends AccessParts, SaveParts {
  concurrency: Concurrency;
  threads: Threads;
}

/** Saves live dictations (SPEC.md section 7, "Transcriptions"). */
export function dictationRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  const access = accessFor(deps)(dictationOperations.save);
  app.post("/api/v1/audio-transcriptions/save-final-transcription", access, takesBody(dictationBytes, deps), async (c) => {
    const body = await readJsonBytes(c);
    const final = await deps.threads.run(dictationTasks.readFinal, body, {
      person: c.var.user.id,
      size: body.length,
    });
    return sendTranscription(c, deps.db, await saveFinal(deps, c.var.user.id, final));
  });
  return app;
}
