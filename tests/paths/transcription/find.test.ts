import { createActor } from "xstate";
import type { Segment } from "#contract/index.ts";
import { type FindEvent, findMachine } from "#machines/transcription/find/machine.ts";
import { findHits } from "#machines/transcription/find/rules.ts";
import { sent } from "#tests/paths/harness-moves.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const said = (text: string, translation: string): Segment => ({ start: 0, end: 1, text, words: [], translation });
const before = [said("a ship", "un barco"), said("a boat", "ship")];

/** The page: a replacement is in the transcript when the machine receives it. */
function prepare() {
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(findMachine, { clock, inspect });
    const page = { segments: before };
    let shown = 0;
    actor.on("replacement.requested", ({ edits }) => {
      page.segments = page.segments.map((segment, index) => ({ ...segment, text: edits[index] ?? segment.text }));
    });
    actor.on("hit.shown", () => {
      shown += 1;
    });
    return { actor, page, shown: () => shown };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const tellSegments: Move<Harness> = {
  name: "the transcript is sent",
  may: () => true,
  happen: ({ actor, page }) => actor.send({ type: "segments.changed", segments: page.segments }),
};
const happens = (event: FindEvent, name: string = event.type): Move<Harness> => sent<FindEvent>(event, name);
const context = ({ actor }: Harness) => actor.getSnapshot().context;

walkTests<Harness>({
  machine: findMachine,
  prepare,
  moves: [
    tellSegments,
    happens({ type: "find.opened", term: "ship", at: 0 }, "opened with a word"),
    happens({ type: "find.opened", at: 1 }, "opened again"),
    happens({ type: "find.closed" }),
    happens({ type: "search.changed", search: { term: "nowhere" } }, "something else is looked for"),
    happens({ type: "search.changed", search: { term: "ship" } }, "it is looked for again"),
    happens({ type: "replacement.typed", replacement: "shipship" }),
    happens({ type: "next.requested" }),
    happens({ type: "previous.requested" }),
    {
      ...happens({ type: "replace.requested" }),
      may: (harness) =>
        context(harness).replacement !== "" &&
        harness.page.segments === before &&
        harness.actor.getSnapshot().can({ type: "replace.requested" }),
    },
    {
      ...happens({ type: "replaceAll.requested" }),
      may: (harness) => harness.page.segments === before && harness.actor.getSnapshot().can({ type: "replaceAll.requested" }),
    },
  ],
  isLocal: "the transcript is in the page",
  situation: (harness) => {
    const { search, replacement, hits, current, segments, replaced, at } = context(harness);
    return [search.term, replacement, hits, current, segments, replaced, at, harness.page.segments];
  },
  rules: {
    "one hit is looked at exactly when there are some": (harness) => {
      const { hits, current } = context(harness);
      return hits.length === 0 ? current === -1 : hits[current] !== undefined;
    },
    "what is found is what stands there, unless a replacement is on its way": (harness) => {
      const { hits, segments, search } = context(harness);
      return !harness.actor.getSnapshot().matches({ open: "searching" }) || hits.length === findHits(segments, search).length;
    },
    "closed, nothing is found": (harness) => !harness.actor.getSnapshot().matches("closed") || context(harness).hits.length === 0,
    "no translation is replaced": ({ page }) =>
      page.segments.every(({ translation }, index) => translation === before[index]?.translation),
  },
});
