import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { AcceptedReaction, Reaction, ReactionCall } from "#contract/index.ts";
import {
  type ReactionsEmitted,
  reactionsMachine,
  selectDislikes,
  selectIsReacting,
  selectLikes,
  selectReaction,
  selectRefusal,
} from "#machines/blog/reactions.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

function setUp(reaction: Reaction | null = null) {
  const react = answering<AcceptedReaction, ReactionCall>();
  const actor = stopsAfterTest(createActor(reactionsMachine.provide({ actors: { react: react.logic } })));
  const emitted: ReactionsEmitted[] = [];
  actor.on("reaction.stored", (event) => emitted.push(event));
  actor.start();
  actor.send({ type: "counts.loaded", id: "p1", likes: 4, dislikes: 2, reaction });
  const press = (pressed: Reaction) => actor.send({ type: "reaction.pressed", reaction: pressed });
  const shown = () => {
    const now = actor.getSnapshot();
    return [selectReaction(now), selectLikes(now), selectDislikes(now), selectRefusal(now)];
  };
  return { react, emitted, press, shown, isReacting: () => selectIsReacting(actor.getSnapshot()) };
}

describe("reaction to a post", () => {
  test("shows a reaction at once and sends it", async () => {
    const { react, emitted, press, shown, isReacting } = setUp();
    press("like");
    expect([shown(), isReacting()]).toEqual([["like", 5, 2, null], true]);
    expect(react.inputs()).toEqual([{ id: "p1", reaction: "like" }]);
    await react.last().resolve({ likes: 9, dislikes: 2, reaction: "like" });
    expect([shown(), isReacting()]).toEqual([["like", 9, 2, null], false]);
    expect(emitted).toEqual([{ type: "reaction.stored", id: "p1", reaction: "like" }]);
  });

  test("removes a reaction that is pressed again", async () => {
    const { react, press, shown } = setUp("dislike");
    expect(shown()).toEqual(["dislike", 4, 2, null]);
    press("dislike");
    expect(shown()).toEqual([null, 4, 1, null]);
    expect(react.inputs()).toEqual([{ id: "p1", reaction: null }]);
    await react.last().reject("network");
    expect(shown()).toEqual(["dislike", 4, 2, "remove"]);
  });

  test.each(["like", "dislike"] as const)(
    "rolls back a refused reaction, and shows the refusal until the next one (%s)",
    async (reaction) => {
      const { react, emitted, press, shown } = setUp();
      press(reaction);
      await react.last().reject("internal");
      expect(shown()).toEqual([null, 4, 2, reaction]);
      press(reaction);
      expect(shown()[3]).toBeNull();
      await react.last().resolve({ likes: 5, dislikes: 2 });
      expect([shown()[0], emitted.length]).toEqual([reaction, 1]);
    },
  );

  test("never shows a negative count", () => {
    const { press, shown } = setUp("like");
    press("like");
    press("like");
    press("dislike");
    expect(shown()).toEqual(["dislike", 3, 3, null]);
  });
});

describe("quick presses of reactions", () => {
  test("sends quick presses one at a time, and skips those in between", async () => {
    const { react, press, shown, isReacting } = setUp();
    press("like");
    press("dislike");
    press("dislike");
    press("dislike");
    expect(react.inputs()).toHaveLength(1);
    await react.last().resolve({ likes: 5, dislikes: 2, reaction: "like" });
    expect(react.inputs().at(-1)).toEqual({ id: "p1", reaction: "dislike" });
    expect(shown()).toEqual(["dislike", 4, 3, null]);
    await react.last().resolve({ likes: 4, dislikes: 3, reaction: "dislike" });
    expect([shown(), isReacting(), react.inputs().length]).toEqual([["dislike", 4, 3, null], false, 2]);
  });

  test("sends the final state even if it equals the first, because a refused request may have arrived", async () => {
    const { react, press, shown } = setUp();
    press("like");
    press("like");
    await react.last().reject("network");
    expect(react.inputs().at(-1)).toEqual({ id: "p1", reaction: null });
    await react.last().resolve({ likes: 4, dislikes: 2, reaction: null });
    expect(shown()).toEqual([null, 4, 2, null]);
  });

  test("keeps the first reaction when the second is refused, and emits it for storage", async () => {
    const { react, emitted, press, shown } = setUp();
    press("like");
    press("dislike");
    await react.last().resolve({ likes: 5, dislikes: 2, reaction: "like" });
    await react.last().reject("network");
    expect(shown()).toEqual(["like", 5, 2, "dislike"]);
    expect(emitted.map(({ reaction }) => reaction)).toEqual(["like"]);
  });
});
