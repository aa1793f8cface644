import { createActor } from "xstate";
import type { AcceptedReaction, Reaction, ReactionCall } from "#contract/index.ts";
import { reactionsMachine, selectLikes, selectReaction, selectRefusal } from "#machines/blog/reactions.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

/** Of everybody else. */
const others = 3;

function prepare(stage: Stage) {
  const react = stage.asking<AcceptedReaction, ReactionCall>();
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
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const context = (rig: Rig) => snapshot(rig).context;
const answer = (reaction: ReactionCall["reaction"]) => ({
  likes: others + (reaction === "like" ? 1 : 0),
  dislikes: reaction === "dislike" ? 1 : 0,
  reaction,
});

/** With what the browser has kept of this reader. */
const postComes = (name: string, reaction: Reaction | null): Move<Rig> => {
  const event = { type: "counts.loaded", id: "p1", ...answer(reaction), reaction } as const;
  return {
    name,
    may: (rig) => snapshot(rig).can(event),
    happen: ({ actor, browser }) => {
      browser.keeps = reaction;
      actor.send(event);
    },
  };
};

walkTests<Rig>({
  machine: reactionsMachine,
  prepare,
  moves: [
    postComes("the post comes", null),
    postComes("the post comes, liked before", "like"),
    sent({ type: "reaction.pressed", reaction: "like" }, "like"),
    sent({ type: "reaction.pressed", reaction: "dislike" }, "dislike"),
    answered(
      "the server has it",
      ({ react }: Rig) => react,
      (_, input) => answer(input?.reaction ?? null),
    ),
    answered(
      "the server has it, and does not say how this reader stands",
      ({ react }: Rig) => react,
      (_, input) => ({ ...answer(input?.reaction ?? null), reaction: undefined }),
    ),
    refused("the server refuses", ({ react }: Rig) => react, failure("network")),
  ],
  situation: (rig) => {
    const { counted, wish, sent: on, refused: not } = context(rig);
    return [counted.reaction, wish, on, not, rig.browser.keeps];
  },
  rules: {
    "one call at a time": ({ react }) => react.open().length <= 1,
    "nobody reacts to a post that is not there": (rig) => context(rig).id !== "" || rig.react.times() === 0,
    "what is shown at rest is what the server has": (rig) =>
      !snapshot(rig).matches("settled") || context(rig).wish === context(rig).counted.reaction,
    "the own like is counted once, and at once": (rig) =>
      context(rig).id === "" || selectLikes(snapshot(rig)) === others + (selectReaction(snapshot(rig)) === "like" ? 1 : 0),
    "what is kept in the browser is what the server said last": (rig) =>
      context(rig).id === "" || rig.browser.keeps === context(rig).counted.reaction,
    "a failure is said at rest only": (rig) => selectRefusal(snapshot(rig)) === null || snapshot(rig).matches("settled"),
  },
});
