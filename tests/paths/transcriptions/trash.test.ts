import { createActor } from "xstate";
import {
  selectConfirming,
  selectError,
  selectHasMore,
  selectIsLoading,
  selectItems,
  selectTotal,
  type TrashEvent,
  type TrashOutcome,
  type TrashPage,
  type TrashWish,
  trashMachine,
} from "#machines/transcriptions/trash.ts";
import { trashItem } from "#tests/machines/transcriptions/harness.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const all = [1, 2, 3].map(trashItem);
const [first = "", second = ""] = all.map(({ id }) => id);
const until = "2026-03-01T12:00:00.000Z";

function prepare(stubs: Stubs) {
  const fetchPage = stubs.asking<TrashPage, { after: string | null }>();
  const change = stubs.asking<TrashOutcome, TrashWish>();
  const machine = trashMachine.provide({ actors: { fetchPage: fetchPage.logic, change: change.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    // The server's items.
    return { actor, fetchPage, change, there: all.map(({ id }) => id) };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const asked = ({ fetchPage }: Harness) => fetchPage;
const changed = ({ change }: Harness) => change;

/** Pages of two. */
function page({ there }: Harness, input: { after: string | null } | undefined): TrashPage {
  const rows = all.filter(({ id }) => there.includes(id));
  const from = input?.after == null ? 0 : rows.findIndex(({ id }) => id === input.after) + 1;
  const data = rows.slice(from, from + 2);
  return { data, total: rows.length, next: from + 2 < rows.length ? (data.at(-1)?.id ?? null) : null, until };
}

/** @param ids that the server can process */
function outcome(harness: Harness, wish: TrashWish | undefined, keeps: readonly string[] = []): TrashOutcome {
  if (wish === undefined || wish.type === "empty") {
    const count = harness.there.length;
    harness.there = [];
    return { done: null, count, failed: 0, code: null };
  }
  const done = wish.ids.filter((id) => !keeps.includes(id));
  harness.there = harness.there.filter((id) => !done.includes(id));
  const failed = wish.ids.length - done.length;
  return { done, count: done.length, failed, code: failed > 0 ? "internal" : null };
}

walkTests<Harness>({
  machine: trashMachine,
  prepare,
  moves: [
    sent<TrashEvent>({ type: "list.requested" }),
    sent<TrashEvent>({ type: "more.requested" }),
    sent<TrashEvent>({ type: "restoring.requested", ids: [first, second] }),
    sent<TrashEvent>({ type: "erasure.requested", ids: [first] }),
    sent<TrashEvent>({ type: "emptying.requested" }),
    sent<TrashEvent>({ type: "erasure.confirmed" }),
    sent<TrashEvent>({ type: "erasure.cancelled" }),
    answered("the page comes", asked, page),
    refused("the page can't be had", asked, failure("network")),
    answered("it is done", changed, (harness, wish) => outcome(harness, wish)),
    answered("it is done with some", changed, (harness, wish) => outcome(harness, wish, [first])),
    refused("it can't be done", changed, failure("network")),
  ],
  situation: (harness) => {
    const items = selectItems(snapshot(harness)).map(({ id }) => id);
    const wish = snapshot(harness).context.wish;
    return [items.join(), harness.there.join(), selectTotal(snapshot(harness)), selectHasMore(snapshot(harness)), wish?.type];
  },
  rules: {
    "one call at a time": ({ fetchPage, change }) => fetchPage.open().length + change.open().length <= 1,
    "nothing is erased that was not confirmed": (harness) =>
      selectConfirming(snapshot(harness)) === null || harness.change.open().length === 0,
    "no row stands twice": (harness) =>
      new Set(selectItems(snapshot(harness)).map(({ id }) => id)).size === selectItems(snapshot(harness)).length,
    "there are never more rows than were counted": (harness) =>
      selectItems(snapshot(harness)).length <= selectTotal(snapshot(harness)),
    "who sees nothing is told why": (harness) =>
      selectItems(snapshot(harness)).length > 0 ||
      selectTotal(snapshot(harness)) === 0 ||
      selectIsLoading(snapshot(harness)) ||
      selectError(snapshot(harness)) !== null,
  },
});
