import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { AcceptedReaction, Reaction, ReactionCall } from "#contract/index.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type ReactionsEvent =
  /** The page has the post: its reaction counts, and this reader's reaction. */
  | ({ type: "counts.loaded"; id: string } & Counts)
  /** The reader presses one of the two buttons; pressing the active one removes the reaction. */
  | { type: "reaction.pressed"; reaction: Reaction };

/** Emitted to the rest of the page: the server has stored it. */
export type ReactionsEmitted = { type: "reaction.stored"; id: string; reaction: Reaction | null };

interface Counts {
  likes: number;
  dislikes: number;
  /** This reader's. */
  reaction: Reaction | null;
}

interface ReactionsContext {
  /** The post's id; "" until the post is loaded. */
  id: string;
  /** The server's counts. */
  counted: Counts;
  /** The reader's choice, shown immediately. */
  wish: Reaction | null;
  /** The choice in flight. */
  sent: Reaction | null;
  /** The choice that was refused last; undefined for none. */
  refused: Reaction | null | undefined;
}

/**
 * A reader's reaction to one post: shown at once, sent one at a time so that the last choice wins, and undone if the
 * server refuses it.
 */
export const reactionsMachine = setup({
  types: { context: {} as ReactionsContext, events: {} as ReactionsEvent, emitted: {} as ReactionsEmitted },
  actors: {
    react: fromPromise<AcceptedReaction, ReactionCall>(async () => notProvided("react")),
  },
  actions: {
    rememberCounts: assign((_, { id, likes, dislikes, reaction }: Counts & { id: string }) => ({
      id,
      counted: { likes, dislikes, reaction },
      wish: reaction,
    })),
    wish: assign(({ context }, { reaction }: { reaction: Reaction }) => ({
      wish: context.wish === reaction ? null : reaction,
      refused: undefined,
    })),
    rememberSent: assign({ sent: ({ context }) => context.wish }),
    /** A server that does not return the counts is taken to have applied the reaction. */
    rememberAnswer: assign(({ context: { counted, sent } }, answer: AcceptedReaction) => {
      const {
        reaction = sent,
        likes = countOf(counted, reaction, "like"),
        dislikes = countOf(counted, reaction, "dislike"),
      } = answer;
      return { counted: { likes, dislikes, reaction } };
    }),
    emitEvent: emit(
      ({ context }): ReactionsEmitted => ({ type: "reaction.stored", id: context.id, reaction: context.counted.reaction }),
    ),
    /** The server's state is shown: another tab may have chosen otherwise. */
    followServer: assign({ wish: ({ context }) => context.counted.reaction }),
    rollBack: assign(({ context }) => ({ wish: context.counted.reaction, refused: context.sent })),
  },
  guards: { hasOtherWish: ({ context }) => context.wish !== context.sent },
}).createMachine({
  id: "reactions",
  context: { id: "", counted: { likes: 0, dislikes: 0, reaction: null }, wish: null, sent: null, refused: undefined },
  initial: "unknown",
  states: {
    /** No post is loaded yet. */
    unknown: {
      on: { "counts.loaded": { target: "settled", actions: withEvent("rememberCounts") } },
    },
    settled: {
      on: {
        "counts.loaded": { actions: withEvent("rememberCounts") },
        "reaction.pressed": { target: "sending", actions: withEvent("wish") },
      },
    },
    sending: {
      entry: "rememberSent",
      invoke: {
        src: "react",
        input: ({ context }) => ({ id: context.id, reaction: context.wish }),
        onDone: [
          { guard: "hasOtherWish", target: "sending", reenter: true, actions: [withOutput("rememberAnswer"), "emitEvent"] },
          { target: "settled", actions: [withOutput("rememberAnswer"), "emitEvent", "followServer"] },
        ],
        onError: [
          // The refused request may have arrived anyway: the last choice is sent even if it equals the known state.
          { guard: "hasOtherWish", target: "sending", reenter: true },
          { target: "settled", actions: "rollBack" },
        ],
      },
      on: { "reaction.pressed": { actions: withEvent("wish") } },
    },
  },
});

type Snapshot = SnapshotFrom<typeof reactionsMachine>;

/** The count, including the reader's own pending reaction. */
function countOf(counted: Counts, wish: Reaction | null, reaction: Reaction): number {
  const others = (reaction === "like" ? counted.likes : counted.dislikes) - (counted.reaction === reaction ? 1 : 0);
  return Math.max(0, others) + (wish === reaction ? 1 : 0);
}

export const selectLikes = ({ context: { counted, wish } }: Snapshot): number => countOf(counted, wish, "like");
export const selectDislikes = ({ context: { counted, wish } }: Snapshot): number => countOf(counted, wish, "dislike");
/** The reader's own reaction as shown; null for none. */
export const selectReaction = (snapshot: Snapshot): Reaction | null => snapshot.context.wish;
export const selectIsReacting = (snapshot: Snapshot): boolean => snapshot.matches("sending");
/** The action that failed; null if none did. */
export const selectRefusal = (snapshot: Snapshot): "like" | "dislike" | "remove" | null => {
  const { refused } = snapshot.context;
  return refused === undefined ? null : (refused ?? "remove");
};
