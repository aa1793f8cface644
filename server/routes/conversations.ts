import { type Context, Hono } from "hono";
import * as v from "valibot";
import { ConversationTurn } from "../../src/api/contract/index.ts";
import { createConversations } from "../conversations/conversations.ts";
import type { AppEnv, Deps } from "../deps.ts";
import { check, readJson } from "../http/body.ts";
import { requireUser } from "../http/session.ts";
import { transcriptionOf } from "../transcripts/view.ts";

/** An hour in one turn, with a time for each word, is about a megabyte. */
const turnBytes = 8 * 1024 * 1024;

const Names = v.object({ conversationId: v.pipe(v.string(), v.uuid()), turnId: v.pipe(v.string(), v.uuid()) });

/** The turns of conversations (contract/conversation.ts). At the free tier's limit too: what was said is always saved. */
export function conversationRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const conversations = createConversations(deps);
  const path = "/api/v1/audio-transcriptions/conversations/:conversationId/turns/:turnId";
  const namesOf = (c: Context<AppEnv>) => {
    const { conversationId, turnId } = check(Names, c.req.param());
    return [c.var.user.id, conversationId, turnId] as const;
  };

  app.put(path, signedIn, async (c) => {
    const turn = await readJson(c, ConversationTurn, turnBytes);
    return c.json(await transcriptionOf(deps.db, await conversations.save(...namesOf(c), turn)));
  });

  app.delete(path, signedIn, async (c) => c.json(await transcriptionOf(deps.db, await conversations.remove(...namesOf(c)))));
  return app;
}
