import { createActor } from "xstate";
import type { SearchAnswer } from "#contract/index.ts";
import { type SearchRequest, searchMachine } from "#machines/search/machine.ts";
import { isBlank, nothingWanted } from "#machines/search/rules.ts";
import { selectFailure, selectHits, selectIsFound, selectIsNothing, selectIsSearching } from "#machines/search/selectors.ts";
import { answerOf, hit } from "#tests/machines/search/rig.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const search = stage.asking<SearchAnswer, SearchRequest>();
  const machine = searchMachine.provide({ actors: { search: search.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), search });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const asked = ({ search }: Rig) => search;
const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const context = (rig: Rig) => snapshot(rig).context;

walkTests<Rig>({
  machine: searchMachine,
  prepare,
  moves: [
    sent({ type: "query.changed", query: "plan" }, "words are typed"),
    sent({ type: "query.changed", query: "" }, "they are deleted"),
    sent({ type: "filters.changed", filters: { language: "de" } }),
    sent({ type: "search.requested" }),
    sent({ type: "more.requested" }),
    sent({ type: "address.opened", wanted: { ...nothingWanted, query: "plan" } }, "an address with words"),
    sent({ type: "address.opened", wanted: { ...nothingWanted, language: "de" } }, "an address without words"),
    answered("two pages are found", asked, () => answerOf([hit("one")], { total: 30 })),
    answered("nothing is found", asked, () => answerOf([])),
    refused("there is no answer", asked, failure("network")),
    untilNextTimer,
  ],
  situation: (rig) => [
    isBlank(context(rig).wanted),
    context(rig).wanted.language,
    context(rig).hits.length > 0,
    Math.min(context(rig).pages, 2),
    selectFailure(snapshot(rig)),
  ],
  rules: {
    "one call at a time": ({ search }) => search.open().length <= 1,
    "without words nothing is looked for, and nothing shown": (rig) =>
      !isBlank(context(rig).wanted) || (rig.search.open().length === 0 && selectHits(snapshot(rig)).length === 0),
    "with words something is said": (rig) =>
      isBlank(context(rig).wanted) ||
      [selectIsSearching, selectIsFound, selectIsNothing].some((select) => select(snapshot(rig))) ||
      selectFailure(snapshot(rig)) !== null,
    "a failure can be tried again": (rig) =>
      selectFailure(snapshot(rig)) === null || snapshot(rig).can({ type: "search.requested" }),
  },
});
