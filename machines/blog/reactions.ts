import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { AcceptedReaction, Reaction, ReactionCall } from "#contract/index.ts";
import { notProvided } from "#machines/not-provided.ts";

export type ReactionsEvent =
  /** The page has the post: how many reacted, and how this reader did. */
  | ({ type: "counts.loaded"; id: string } & Counts)
  /** The reader presses one of the two buttons; pressing what is pressed takes it back. */
  | { type: "reaction.pressed"; reaction: Reaction };

/** What the rest of the page hears: the server knows of it. */
export type ReactionsEmitted = { type: "reacted"; id: string; reaction: Reaction | null };

interface Counts {
  likes: number;
  dislikes: number;
  /** This reader's. */
  reaction: Reaction | null;
}

interface ReactionsContext {
  /** Of the post; "" until it is there. */
  id: string;
  /** As the server has it. */
  counted: Counts;
  /** What the reader wants, shown at once. */
  wish: Reaction | null;
  /** The wish that is on its way. */
  sent: Reaction | null;
  /** The wish that was refused last; undefined when none was. */
  refused: Reaction | null | undefined;
}

/** A reader's like or dislike of one post: shown at once, sent one after another so that the last wish wins, taken back when refused. */
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
    /** A server that does not say how things stand has done what it was asked for. */
    rememberAnswer: assign(({ context: { counted, sent } }, answer: AcceptedReaction) => {
      const {
        reaction = sent,
        likes = countOf(counted, reaction, "like"),
        dislikes = countOf(counted, reaction, "dislike"),
      } = answer;
      return { counted: { likes, dislikes, reaction } };
    }),
    emitEvent: emit(({ context }): ReactionsEmitted => ({ type: "reacted", id: context.id, reaction: context.counted.reaction })),
    /** What the server has is what is shown: another tab may have had another wish. */
    followServer: assign({ wish: ({ context }) => context.counted.reaction }),
    rollBack: assign(({ context }) => ({ wish: context.counted.reaction, refused: context.sent })),
  },
  guards: { hasOtherWish: ({ context }) => context.wish !== context.sent },
}).createMachine({
  id: "reactions",
  context: { id: "", counted: { likes: 0, dislikes: 0, reaction: null }, wish: null, sent: null, refused: undefined },
  initial: "unknown",
  states: {
    /** Nobody can react to what is not there yet. */
    unknown: {
      on: { "counts.loaded": { target: "settled", actions: { type: "rememberCounts", params: ({ event }) => event } } },
    },
    settled: {
      on: {
        "counts.loaded": { actions: { type: "rememberCounts", params: ({ event }) => event } },
        "reaction.pressed": { target: "sending", actions: { type: "wish", params: ({ event }) => event } },
      },
    },
    sending: {
      entry: "rememberSent",
      invoke: {
        src: "react",
        input: ({ context }) => ({ id: context.id, reaction: context.wish }),
        onDone: [
          {
            guard: "hasOtherWish",
            target: "sending",
            reenter: true,
            actions: [{ type: "rememberAnswer", params: ({ event }) => event.output }, "emitEvent"],
          },
          {
            target: "settled",
            actions: [{ type: "rememberAnswer", params: ({ event }) => event.output }, "emitEvent", "followServer"],
          },
        ],
        onError: [
          // Whether the refused one has arrived all the same nobody knows: the last wish is sent even when it is how things were.
          { guard: "hasOtherWish", target: "sending", reenter: true },
          { target: "settled", actions: "rollBack" },
        ],
      },
      on: { "reaction.pressed": { actions: { type: "wish", params: ({ event }) => event } } },
    },
  },
});

type Snapshot = SnapshotFrom<typeof reactionsMachine>;

/** How many, with the reader's own wish counted in already. */
function countOf(counted: Counts, wish: Reaction | null, reaction: Reaction): number {
  const others = (reaction === "like" ? counted.likes : counted.dislikes) - (counted.reaction === reaction ? 1 : 0);
  return Math.max(0, others) + (wish === reaction ? 1 : 0);
}

export const selectLikes = ({ context: { counted, wish } }: Snapshot): number => countOf(counted, wish, "like");
export const selectDislikes = ({ context: { counted, wish } }: Snapshot): number => countOf(counted, wish, "dislike");
/** The reader's own, as it is shown; null for none. */
export const selectReaction = (snapshot: Snapshot): Reaction | null => snapshot.context.wish;
export const selectIsReacting = (snapshot: Snapshot): boolean => snapshot.matches("sending");
/** What did not work: null when all did. */
export const selectRefusal = (snapshot: Snapshot): "like" | "dislike" | "remove" | null => {
  const { refused } = snapshot.context;
  return refused === undefined ? null : (refused ?? "remove");
};
