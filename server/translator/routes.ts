import { type Context, Hono } from "hono";
import * as v from "valibot";
import { check, readJsonBytes } from "#server/http/body.ts";
import type { Concurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { takesBody } from "#server/http/limits.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import { sendTranscription } from "#server/transcription/view.ts";
import { createConversations } from "./conversations.ts";
import type { Parts } from "./store.ts";
import { turnTasks } from "./thread-tasks.ts";

/** Limit of a turn (bytes): an hour of speech with word times is about a megabyte. */
const turnBytes = 4 * 1024 * 1024;

const Names = v.object({ conversationId: v.pipe(v.string(), v.uuid()), turnId: v.pipe(v.string(), v.uuid()) });

/**
 * The turns of conversations (contract/translator.ts). They work even at the free tier's limit, so that nothing spoken
 * is lost.
 */
export function conversationRoutes(deps: SignInParts & Parts & { concurrency: Concurrency }): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const conversations = createConversations(deps);
  const path = "/api/v1/audio-transcriptions/conversations/:conversationId/turns/:turnId";
  const namesOf = (c: Context<AppEnv>) => {
    const { conversationId, turnId } = check(Names, c.req.param());
    return [c.var.user.id, conversationId, turnId] as const;
  };

  app.put(path, signedIn, takesBody(turnBytes, deps), async (c) => {
    const body = await readJsonBytes(c);
    const turn = await deps.threads.run(turnTasks.readTurn, body, { person: c.var.user.id, size: body.length });
    const [userId, conversationId, turnId] = namesOf(c);
    return sendTranscription(c, deps.db, await conversations.save(userId, conversationId, turnId, turn));
  });

  app.delete(path, signedIn, async (c) => {
    const [userId, conversationId, turnId] = namesOf(c);
    return sendTranscription(c, deps.db, await conversations.remove(userId, conversationId, turnId));
  });
  return app;
}
