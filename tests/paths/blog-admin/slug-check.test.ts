import { createActor } from "xstate";
import { selectIsOwnSlug, selectSlugState, slugCheckMachine } from "#machines/blog-admin/slug-check.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const ask = stubs.asking<{ slug: string; free: boolean }, { id: string | null; title: string; slug: string; own: boolean }>();
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
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;
const state = ({ actor }: Harness) => selectSlugState(actor.getSnapshot());

walkTests<Harness>({
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
      ({ ask }: Harness) => ask,
      (_, input) => ({ slug: input?.own ? input.slug : "sea", free: true }),
    ),
    answered(
      "it is taken",
      ({ ask }: Harness) => ask,
      (_, input) => ({ slug: input?.own ? input.slug : "sea-2", free: false }),
    ),
    refused("nobody knows", ({ ask }: Harness) => ask, failure("network")),
  ],
  situation: (harness) => [context(harness), harness.made.length > 0, harness.ask.open().length],
  rules: {
    "one question at a time, and only while it says so": (harness) =>
      harness.ask.open().length <= (state(harness) === "checking" ? 1 : 0),
    "an address that was typed is never made from the title": (harness) =>
      harness.ask.open().every(({ input }) => input?.own === context(harness).own),
    "what can't be an address is not asked about": (harness) =>
      harness.ask.open().every(({ input }) => !input?.own || input.slug !== "Not One"),
    "the person's own address is not replaced": (harness) =>
      !selectIsOwnSlug(harness.actor.getSnapshot()) || ["mine", "Not One", "sea", "theirs", ""].includes(context(harness).slug),
  },
});
