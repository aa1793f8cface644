import { AcceptedTranscription, type ConversationTurn } from "#contract/index.ts";
import type { Call } from "./http.ts";
import { transcriptionsPath } from "./paths.ts";

const turnPath = (conversationId: string, turnId: string) =>
  `${transcriptionsPath}/conversations/${encodeURIComponent(conversationId)}/turns/${encodeURIComponent(turnId)}`;

/**
 * The turns of conversations (contract/translator.ts). Each call answers with the whole conversation, and throws
 * ApiError.
 */
export function createConversationsApi(call: Call) {
  return {
    /** Idempotent. */
    saveTurn: (conversationId: string, turnId: string, json: ConversationTurn, signal?: AbortSignal) =>
      call(turnPath(conversationId, turnId), { method: "PUT", json, schema: AcceptedTranscription, signal }),

    /** Removes the turn with its audio. */
    removeTurn: (conversationId: string, turnId: string, signal?: AbortSignal) =>
      call(turnPath(conversationId, turnId), { method: "DELETE", schema: AcceptedTranscription, signal }),
  };
}

export type ConversationsApi = ReturnType<typeof createConversationsApi>;
