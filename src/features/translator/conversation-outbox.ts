import type { Transcription } from "#contract/index.ts";
import { isGone } from "#machines/failure.ts";
import type { SentNext } from "#machines/translator/conversation.ts";
import type { TranscriptionsApi } from "#src/api/transcriptions.ts";
import type { ConversationsApi } from "#src/api/translator.ts";
import type { PersistedOutbox } from "#src/browser/outbox.ts";
import type { ReadableStore } from "#src/browser/store.ts";
import { conversationsApi, transcriptionsApi } from "#src/features/session/api-resources.ts";
import { type OutboxEntry, type OutboxTurn, outboxEntries } from "./outbox-entries.ts";

/** The user's unsent changes of all conversations, in order. */
export interface Outbox extends ReadableStore<number> {
  /** The entries, without those that are still being edited. */
  ready(): readonly OutboxEntry[];
  /**
   * Stores an entry that is still being edited. It survives the page, but is not sent yet.
   * @returns false when storage is full
   */
  hold(turn: OutboxTurn, ownerId: string): boolean;
  /** Releases a held entry for sending. @returns false when the browser's storage is full */
  add(change: OutboxEntry): boolean;
  /** Sends the oldest entry. Rejects with a code. */
  sendNext(signal: AbortSignal): Promise<SentNext>;
  dropOldest(): void;
  /** Notes the transcription of a conversation that other code has loaded. */
  learn(conversationId: string, transcriptionId: string): void;
}

interface OutboxEnvironment {
  entries: PersistedOutbox<OutboxEntry>;
  conversations: Pick<ConversationsApi, "saveTurn" | "removeTurn">;
  transcriptions: Pick<TranscriptionsApi, "get" | "update">;
}
const pageEnvironment: OutboxEnvironment = {
  entries: outboxEntries,
  conversations: conversationsApi,
  transcriptions: transcriptionsApi,
};

export function createOutbox(ownerId: string, environment: OutboxEnvironment = pageEnvironment): Outbox {
  const { entries } = environment;
  const inHand = new Set<string>();
  /** Transcription ids by conversation. */
  const transcriptionIds = new Map<string, string>();
  const ready = () => entries.list().filter(({ clientId }) => !inHand.has(clientId));
  return {
    ready,
    get: () => ready().length,
    subscribe: entries.subscribe,
    hold: (turn, owner) => {
      inHand.add(turn.clientId);
      return entries.keep(turn, owner);
    },
    add: (change) => {
      inHand.delete(change.clientId);
      return entries.keep(change, ownerId);
    },
    sendNext: async (signal) => {
      const [change] = ready();
      if (change === undefined) return { conversationId: "", transcription: null, more: false };
      const { conversationId, clientId } = change;
      const transcription = await sendChange(environment, change, transcriptionIds.get(conversationId), signal);
      if (transcription !== null) transcriptionIds.set(conversationId, transcription.id);
      entries.drop(clientId);
      return { conversationId, transcription, more: ready().length > 0 };
    },
    dropOldest: () => {
      const [oldest] = ready();
      if (oldest !== undefined) entries.drop(oldest.clientId);
    },
    learn: (conversationId, transcriptionId) => void transcriptionIds.set(conversationId, transcriptionId),
  };
}

/** Sends one change to the server. @returns the changed conversation; null when it no longer exists */
async function sendChange(
  environment: OutboxEnvironment,
  change: OutboxEntry,
  transcriptionId: string | undefined,
  signal: AbortSignal,
): Promise<Transcription | null> {
  const { conversationId, turnId } = change;
  if (change.kind === "turn") return environment.conversations.saveTurn(conversationId, turnId, change.turn, signal);
  try {
    if (change.kind === "deletion") return await environment.conversations.removeTurn(conversationId, turnId, signal);
    return transcriptionId === undefined ? null : await sendCorrection(environment, change, transcriptionId, signal);
  } catch (error) {
    // Deleted elsewhere: nothing to do.
    if (isGone(error)) return null;
    throw error;
  }
}

/** Finds the segment's position on the server first, because other tabs also add turns. */
async function sendCorrection(
  { transcriptions }: OutboxEnvironment,
  change: Extract<OutboxEntry, { kind: "correction" }>,
  id: string,
  signal: AbortSignal,
) {
  const now = await transcriptions.get(id, signal);
  const own = now.segments.flatMap(({ turn }, index) => (turn === change.turnId ? [index] : []));
  const index = own[change.index];
  return index === undefined ? now : transcriptions.update(id, { edits: [{ index, text: change.text }] }, signal);
}
