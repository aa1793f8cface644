import { createActor } from "xstate";
import { selectIsOwnSlug, selectSlugState, slugCheckMachine } from "#machines/blog-admin/slug-check.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const ask = stage.asking<{ slug: string; free: boolean }, { id: string | null; title: string; slug: string; own: boolean }>();
  const machine = slugCheckMachine.provide({ actors: { ask: ask.logic } });
  return ({ start, clock, inspect }: RunOptions) => {
    const isNew = start === "a new post";
    const input = isNew ? { id: null, title: "", slug: "", own: false } : { id: "p1", title: "Sea", slug: "sea", own: true };
    const actor = createActor(machine, { clock, inspect, input });
    const made: string[] = [];
    actor.on("slug.made", ({ slug }) => made.push(slug));
    return { actor, ask, made };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;
const state = ({ actor }: Rig) => selectSlugState(actor.getSnapshot());

walkTests<Rig>({
  machine: slugCheckMachine,
  prepare,
  starts: ["a new post", "one with an address"],
  moves: [
    sent({ type: "title.changed", title: "Sea" }),
    sent({ type: "title.changed", title: " " }, "the title is emptied"),
    sent({ type: "slug.typed", slug: "mine" }),
    sent({ type: "slug.typed", slug: "Not One" }, "what can't be an address is typed"),
    sent({ type: "slug.typed", slug: "" }, "the address is emptied"),
    sent({ type: "post.saved", id: "p1" }),
    sent({ type: "slug.shown", slug: "theirs", own: true }),
    untilNextTimer,
    answered(
      "it is free",
      ({ ask }: Rig) => ask,
      (_, input) => ({ slug: input?.own ? input.slug : "sea", free: true }),
    ),
    answered(
      "it is taken",
      ({ ask }: Rig) => ask,
      (_, input) => ({ slug: input?.own ? input.slug : "sea-2", free: false }),
    ),
    refused("nobody knows", ({ ask }: Rig) => ask, failure("network")),
  ],
  situation: (rig) => [context(rig), rig.made.length > 0, rig.ask.open().length],
  rules: {
    "one question at a time, and only while it says so": (rig) => rig.ask.open().length <= (state(rig) === "checking" ? 1 : 0),
    "an address that was typed is never made from the title": (rig) =>
      rig.ask.open().every(({ input }) => input?.own === context(rig).own),
    "what can't be an address is not asked about": (rig) =>
      rig.ask.open().every(({ input }) => !input?.own || input.slug !== "Not One"),
    "the person's own address is not replaced": (rig) =>
      !selectIsOwnSlug(rig.actor.getSnapshot()) || ["mine", "Not One", "sea", "theirs", ""].includes(context(rig).slug),
  },
});
