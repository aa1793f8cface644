import * as v from "valibot";
import { ConversationTurn } from "#contract/index.ts";
import { createPersistedOutbox, type PersistedOutbox } from "#src/browser/outbox.ts";
import type { PageStorage } from "#src/browser/storage.ts";
import { currentUserId } from "#src/features/session/actor.ts";

const Uuid = v.pipe(v.string(), v.uuid());
const names = { clientId: Uuid, conversationId: Uuid, turnId: Uuid };

/** A spoken or typed turn. */
const OutboxTurn = v.object({ kind: v.literal("turn"), ...names, turn: ConversationTurn });
export type OutboxTurn = v.InferOutput<typeof OutboxTurn>;

/** A change of a conversation that is not on the server yet. */
const OutboxEntry = v.variant("kind", [
  OutboxTurn,
  /** `index`: the segment within the turn. An unchanged `text` requests a new translation. */
  v.object({ kind: v.literal("correction"), ...names, index: v.number(), text: v.string() }),
  v.object({ kind: v.literal("deletion"), ...names }),
]);
export type OutboxEntry = v.InferOutput<typeof OutboxEntry>;

const Persisted = v.object({ ownerId: v.string(), change: OutboxEntry });

interface OutboxEntriesEnvironment {
  /** The signed-in user's id; null: nobody. */
  owner(): string | null;
  storage?: PageStorage;
}

/** The user's changes, in chronological order. This browser persists them until the server has them. */
export const createOutboxEntries = (environment: OutboxEntriesEnvironment): PersistedOutbox<OutboxEntry> =>
  createPersistedOutbox<OutboxEntry>({
    ...environment,
    key: "conversationChanges",
    parse: (entry) => {
      const stored = v.safeParse(Persisted, entry);
      return stored.success ? { ownerId: stored.output.ownerId, item: stored.output.change } : undefined;
    },
    write: (ownerId, change) => ({ ownerId, change }) satisfies v.InferOutput<typeof Persisted>,
    first: false,
  });

/** The page's instance. */
export const outboxEntries: PersistedOutbox<OutboxEntry> = createOutboxEntries({ owner: currentUserId });
