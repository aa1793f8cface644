import { createActor } from "xstate";
import type { SearchAnswer } from "#contract/index.ts";
import { type SearchRequest, searchMachine } from "#machines/search/machine.ts";
import { emptyFields, isBlank } from "#machines/search/rules.ts";
import { selectFailure, selectHits, selectIsFound, selectIsNothing, selectIsSearching } from "#machines/search/selectors.ts";
import { answerOf, hit } from "#tests/machines/search/harness.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const search = stubs.asking<SearchAnswer, SearchRequest>();
  const machine = searchMachine.provide({ actors: { search: search.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), search });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const asked = ({ search }: Harness) => search;
const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const context = (harness: Harness) => snapshot(harness).context;

walkTests<Harness>({
  machine: searchMachine,
  prepare,
  moves: [
    sent({ type: "query.changed", query: "plan" }, "words are typed"),
    sent({ type: "query.changed", query: "" }, "they are deleted"),
    sent({ type: "filters.changed", filters: { language: "de" } }),
    sent({ type: "search.requested" }),
    sent({ type: "more.requested" }),
    sent({ type: "address.opened", wanted: { ...emptyFields, query: "plan" } }, "an address with words"),
    sent({ type: "address.opened", wanted: { ...emptyFields, language: "de" } }, "an address without words"),
    answered("two pages are found", asked, () => answerOf([hit("one")], { total: 30 })),
    answered("nothing is found", asked, () => answerOf([])),
    refused("there is no answer", asked, failure("network")),
    untilNextTimer,
  ],
  situation: (harness) => [
    isBlank(context(harness).wanted),
    context(harness).wanted.language,
    context(harness).hits.length > 0,
    Math.min(context(harness).pages, 2),
    selectFailure(snapshot(harness)),
  ],
  rules: {
    "one call at a time": ({ search }) => search.open().length <= 1,
    "without words nothing is looked for, and nothing shown": (harness) =>
      !isBlank(context(harness).wanted) || (harness.search.open().length === 0 && selectHits(snapshot(harness)).length === 0),
    "with words something is said": (harness) =>
      isBlank(context(harness).wanted) ||
      [selectIsSearching, selectIsFound, selectIsNothing].some((select) => select(snapshot(harness))) ||
      selectFailure(snapshot(harness)) !== null,
    "a failure can be tried again": (harness) =>
      selectFailure(snapshot(harness)) === null || snapshot(harness).can({ type: "search.requested" }),
  },
});
