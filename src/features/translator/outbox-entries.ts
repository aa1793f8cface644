import * as v from "valibot";
import { ConversationTurn } from "#contract/index.ts";
import { createPersistedOutbox, type PersistedOutbox } from "#src/browser/outbox.ts";
import type { PageStorage } from "#src/browser/storage.ts";
import { currentUserId } from "#src/features/session/actor.ts";

const Uuid = v.pipe(v.string(), v.uuid());
const names = { clientId: Uuid, conversationId: Uuid, turnId: Uuid };

/** A turn that was spoken or typed. */
const OutboxTurn = v.object({ kind: v.literal("turn"), ...names, turn: ConversationTurn });
export type OutboxTurn = v.InferOutput<typeof OutboxTurn>;

/** A change of a conversation that the server does not have yet. */
const OutboxEntry = v.variant("kind", [
  OutboxTurn,
  /** `index` among the turn's segments. With an unchanged text it requests a new translation. */
  v.object({ kind: v.literal("correction"), ...names, index: v.number(), text: v.string() }),
  v.object({ kind: v.literal("deletion"), ...names }),
]);
export type OutboxEntry = v.InferOutput<typeof OutboxEntry>;

const Persisted = v.object({ ownerId: v.string(), change: OutboxEntry });

interface OutboxEntriesEnvironment {
  /** The signed-in person's id; null: nobody. */
  owner(): string | null;
  storage?: PageStorage;
}

/** Persisted in this browser until the server has them, in chronological order. */
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
