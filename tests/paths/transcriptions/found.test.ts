import { createActor } from "xstate";
import { type FoundEvent, foundMachine } from "#machines/transcriptions/found/machine.ts";
import type { ListState, Rows, ServerState, Wanted } from "#machines/transcriptions/found/rules.ts";
import { selectFoundRows, selectOutline } from "#machines/transcriptions/found/selectors.ts";
import { noFiledFilters, noFilters } from "#machines/transcriptions/rules.ts";
import { row } from "#tests/machines/harness.ts";
import { answered, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const rows = Array.from({ length: 60 }, (_, index) => row(60 - index, { title: "tea" }));
const few = rows.slice(0, 3);

const plain: Wanted = {
  items: rows,
  sort: "newest",
  term: "",
  filters: noFilters,
  filed: noFiledFilters,
  isNarrowed: false,
};
const tea: Wanted = { ...plain, term: "tea", isNarrowed: true };
const list: ListState = { hasMore: true, isSettled: true, hasFailed: false, last: rows.at(-1) };
const server: ServerState = {
  term: "tea",
  sort: "newest",
  isResponsible: true,
  isAsking: false,
  mayGoOn: true,
  hasMore: true,
  wantsRest: false,
  total: 100,
  rows: few,
  former: [],
};
const away = { ...server, isResponsible: false, mayGoOn: false, hasMore: false };

function prepare(stubs: Stubs) {
  const filter = stubs.asking<Rows, { wanted: Wanted; now: number }>();
  const machine = foundMachine.provide({ actors: { filter: filter.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { wanted: plain, list, server: away, now: () => 0 } });
    return { actor, filter };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const context = (harness: Harness) => snapshot(harness).context;
const filter = (harness: Harness) => harness.filter;

walkTests<Harness>({
  machine: foundMachine,
  prepare,
  moves: [
    sent<FoundEvent>({ type: "list.changed", wanted: plain, list }, "nothing is searched"),
    sent<FoundEvent>({ type: "list.changed", wanted: tea, list }, "tea is searched"),
    sent<FoundEvent>({ type: "list.changed", wanted: tea, list: { ...list, hasMore: false } }, "all of the list is here"),
    sent<FoundEvent>({ type: "list.changed", wanted: tea, list: { ...list, isSettled: false, hasFailed: true } }, "it fails"),
    sent<FoundEvent>({ type: "server.changed", server }, "the server has found some"),
    sent<FoundEvent>({ type: "server.changed", server: away }, "the server can't search"),
    sent<FoundEvent>({ type: "more.requested" }),
    sent<FoundEvent>({ type: "all.requested" }),
    answered("few match", filter, () => few),
    answered("many match", filter, () => rows),
    refused("they can't be filtered", filter, new Error("no")),
  ],
  situation: (harness) => {
    const { wanted, list: known, server: by, reach, wantsAll, rows: shown, here } = context(harness);
    return [wanted.term, known, by.isResponsible, Math.min(reach, 150), wantsAll, shown.length, here.length];
  },
  rules: {
    "rows are filtered exactly while that is shown": (harness) =>
      harness.filter.open().length === (snapshot(harness).matches("filtering") ? 1 : 0),
    "what is not narrowed is shown as it is": (harness) =>
      context(harness).wanted.isNarrowed || selectFoundRows(snapshot(harness)) === rows,
    "nobody looks for more where all is here": (harness) =>
      !snapshot(harness).matches("searching") || selectOutline(snapshot(harness)).isMore || context(harness).server.hasMore,
    "all are wanted only until they are here": (harness) => !(context(harness).wantsAll && snapshot(harness).matches("enough")),
    "there are at least as many as are shown": (harness) =>
      selectOutline(snapshot(harness)).total >= selectFoundRows(snapshot(harness)).length,
  },
  isLocal: "the list and the server's search ask",
});
