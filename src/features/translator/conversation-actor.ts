import * as v from "valibot";
import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import type { Transcription } from "#contract/index.ts";
import {
  conversationMachine,
  selectConversationId,
  selectTranscription,
  selectTranscriptionId,
} from "#machines/translator/conversation.ts";
import { inspected } from "#src/browser/inspection.ts";
import { newId } from "#src/browser/new-id.ts";
import { listenForWaking } from "#src/browser/page-events.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { stored } from "#src/browser/stored.ts";
import { toast } from "#src/browser/toasts.ts";
import { currentUserId, openSession } from "#src/features/session/actor.ts";
import { conversationsApi, transcriptionsApi } from "#src/features/session/api-resources.ts";
import { createOutbox, type Outbox } from "./conversation-outbox.ts";
import { type OutboxEntry, type OutboxTurn, outboxEntries } from "./outbox-entries.ts";
import { type Turn, type TurnLanguages, turnsOf } from "./turns.ts";

/** The conversation on the translator's page. */
export interface Conversation {
  actor: ActorRefFrom<typeof conversationMachine>;
  /** The turns, in chronological order. */
  turns: ReadableStore<readonly Turn[]>;
  outbox: Outbox;
  id(): string;
  /** Sets the languages of the two sides, which decide the side of each turn. */
  setLanguages(languages: TurnLanguages): void;
  /**
   * Adds a complete turn. Resolves when it is stored.
   * @throws ApiError when neither browser nor server could store it
   */
  add(turn: OutboxTurn, signal: AbortSignal): Promise<void>;
  /**
   * Edits a segment. Translates an unchanged text again.
   * @param index in the turn
   * @returns false when storage is full
   */
  correct(turnId: string, index: number, text: string): boolean;
  /** Starts a new conversation. The previous one is in the history. */
  renew(): void;
  stop(): void;
}

const Open = v.object({ id: v.pipe(v.string(), v.uuid()), transcriptionId: v.nullable(v.string()) });

/**
 * Starts with the conversation that was last open in this browser. The caller stops it. @param ownerId the user's id
 */
export function createConversation(ownerId: string, languages: TurnLanguages): Conversation {
  const outbox = createOutbox(ownerId);
  const actor = startActor(ownerId, outbox);
  const shown = followTurns(actor, outbox, languages);
  const id = () => selectConversationId(actor.getSnapshot());
  const change = (made: OutboxEntry): boolean => {
    const isPersisted = outbox.add(made);
    shown.update();
    actor.send({ type: "change.persisted" });
    return isPersisted;
  };
  const about = (turnId: string) => ({ clientId: newId(), conversationId: id(), turnId });
  const renew = () => actor.send({ type: "renew.requested", id: newId() });
  actor.on("transcription.gone", renew);
  actor.on("turn.deleted", ({ turnId }) => {
    if (!change({ kind: "deletion", ...about(turnId) })) toast({ kind: "error", key: "errors.storageFull" });
  });
  return {
    actor,
    outbox,
    id,
    renew,
    turns: shown.turns,
    setLanguages: shown.setLanguages,
    add: async (turn, signal) => {
      if (change(turn)) return;
      const { conversationId, turnId } = turn;
      const transcription = await conversationsApi.saveTurn(conversationId, turnId, turn.turn, signal);
      actor.send({ type: "change.sent", conversationId, transcription });
    },
    correct: (turnId, index, text) => change({ kind: "correction", ...about(turnId), index, text }),
    stop: () => {
      shown.stop();
      actor.stop();
    },
  };
}

function startActor(ownerId: string, outbox: Outbox): Conversation["actor"] {
  const persisted = stored(`conversation:${ownerId}`, Open);
  const machine = conversationMachine.provide({
    actors: {
      load: fromPromise(({ input, signal }) => transcriptionsApi.get(input.transcriptionId, signal)),
      sendNext: fromPromise(({ signal }) => outbox.sendNext(signal)),
      wakeUps: fromCallback(({ sendBack }) => {
        const wake = () => sendBack({ type: "page.resumed" });
        const leaveWaking = listenForWaking(wake);
        const { unsubscribe } = openSession().subscribe(() => {
          if (currentUserId() === ownerId) wake();
        });
        return () => {
          leaveWaking();
          unsubscribe();
        };
      }),
    },
    actions: { dropOldest: () => outbox.dropOldest() },
  });
  const input = persisted.read() ?? { id: newId(), transcriptionId: null };
  const actor = createActor(machine, { ...inspected(), input });
  const remember = () => {
    const snapshot = actor.getSnapshot();
    const open = { id: selectConversationId(snapshot), transcriptionId: selectTranscriptionId(snapshot) };
    if (open.transcriptionId !== null) outbox.learn(open.id, open.transcriptionId);
    if (JSON.stringify(open) !== JSON.stringify(persisted.read())) persisted.keep(open);
  };
  remember();
  actor.subscribe(remember);
  return actor.start();
}

interface Known {
  transcription: Transcription | null;
  changes: readonly OutboxEntry[];
  languages: TurnLanguages;
}

/** Derives the turns outside of the machine, whenever the server's or the browser's data changes. */
function followTurns(actor: Conversation["actor"], outbox: Outbox, languages: TurnLanguages) {
  const turns = createStore<readonly Turn[]>([]);
  let last: Known | undefined;
  const show = (next: Known) => {
    if (last !== undefined && isSame(last, next)) return;
    last = next;
    turns.set(turnsOf(next.transcription, next.changes, next.languages));
  };
  const update = (spoken = last?.languages ?? languages) => {
    const snapshot = actor.getSnapshot();
    const id = selectConversationId(snapshot);
    const changes = outbox.ready().filter(({ conversationId }) => conversationId === id);
    show({ transcription: selectTranscription(snapshot), changes, languages: spoken });
  };
  update();
  const { unsubscribe } = actor.subscribe(() => update());
  const leave = outboxEntries.subscribe(() => update());
  return {
    turns,
    update: () => update(),
    setLanguages: update,
    stop: () => {
      unsubscribe();
      leave();
    },
  };
}

function isSame(one: Known, other: Known): boolean {
  return (
    one.transcription === other.transcription &&
    one.languages.join() === other.languages.join() &&
    one.changes.length === other.changes.length &&
    one.changes.every((change, index) => change === other.changes[index])
  );
}
