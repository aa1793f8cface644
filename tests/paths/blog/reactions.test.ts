import { createActor } from "xstate";
import type { AcceptedReaction, Reaction, ReactionCall } from "#contract/index.ts";
import { reactionsMachine, selectLikes, selectReaction, selectRefusal } from "#machines/blog/reactions.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

/** The reactions of other readers. */
const others = 3;

function prepare(stubs: Stubs) {
  const react = stubs.asking<AcceptedReaction, ReactionCall>();
  const machine = reactionsMachine.provide({ actors: { react: react.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    const browser: { keeps: Reaction | null } = { keeps: null };
    actor.on("reaction.stored", ({ reaction }) => {
      browser.keeps = reaction;
    });
    return { actor, react, browser };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const context = (harness: Harness) => snapshot(harness).context;
const answer = (reaction: ReactionCall["reaction"]) => ({
  likes: others + (reaction === "like" ? 1 : 0),
  dislikes: reaction === "dislike" ? 1 : 0,
  reaction,
});

/** With this reader's reaction from the browser's storage. */
const postComes = (name: string, reaction: Reaction | null): Move<Harness> => {
  const event = { type: "counts.loaded", id: "p1", ...answer(reaction), reaction } as const;
  return {
    name,
    may: (harness) => snapshot(harness).can(event),
    happen: ({ actor, browser }) => {
      browser.keeps = reaction;
      actor.send(event);
    },
  };
};

walkTests<Harness>({
  machine: reactionsMachine,
  prepare,
  moves: [
    postComes("the post comes", null),
    postComes("the post comes, liked before", "like"),
    sent({ type: "reaction.pressed", reaction: "like" }, "like"),
    sent({ type: "reaction.pressed", reaction: "dislike" }, "dislike"),
    answered(
      "the server has it",
      ({ react }: Harness) => react,
      (_, input) => answer(input?.reaction ?? null),
    ),
    answered(
      "the server has it, and does not say how this reader stands",
      ({ react }: Harness) => react,
      (_, input) => ({ ...answer(input?.reaction ?? null), reaction: undefined }),
    ),
    refused("the server refuses", ({ react }: Harness) => react, failure("network")),
  ],
  situation: (harness) => {
    const { counted, wish, sent: on, refused: not } = context(harness);
    return [counted.reaction, wish, on, not, harness.browser.keeps];
  },
  rules: {
    "one call at a time": ({ react }) => react.open().length <= 1,
    "nobody reacts to a post that is not there": (harness) => context(harness).id !== "" || harness.react.times() === 0,
    "what is shown at rest is what the server has": (harness) =>
      !snapshot(harness).matches("settled") || context(harness).wish === context(harness).counted.reaction,
    "the own like is counted once, and at once": (harness) =>
      context(harness).id === "" ||
      selectLikes(snapshot(harness)) === others + (selectReaction(snapshot(harness)) === "like" ? 1 : 0),
    "what is kept in the browser is what the server said last": (harness) =>
      context(harness).id === "" || harness.browser.keeps === context(harness).counted.reaction,
    "a failure is said at rest only": (harness) =>
      selectRefusal(snapshot(harness)) === null || snapshot(harness).matches("settled"),
  },
});
