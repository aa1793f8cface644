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
import { trashItem } from "#tests/machines/transcriptions/rig.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const all = [1, 2, 3].map(trashItem);
const [first = "", second = ""] = all.map(({ id }) => id);
const until = "2026-03-01T12:00:00.000Z";

function prepare(stage: Stage) {
  const fetchPage = stage.asking<TrashPage, { after: string | null }>();
  const change = stage.asking<TrashOutcome, TrashWish>();
  const machine = trashMachine.provide({ actors: { fetchPage: fetchPage.logic, change: change.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    // What the server has.
    return { actor, fetchPage, change, there: all.map(({ id }) => id) };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const asked = ({ fetchPage }: Rig) => fetchPage;
const changed = ({ change }: Rig) => change;

/** Pages of two. */
function page({ there }: Rig, input: { after: string | null } | undefined): TrashPage {
  const rows = all.filter(({ id }) => there.includes(id));
  const from = input?.after == null ? 0 : rows.findIndex(({ id }) => id === input.after) + 1;
  const data = rows.slice(from, from + 2);
  return { data, total: rows.length, next: from + 2 < rows.length ? (data.at(-1)?.id ?? null) : null, until };
}

/** @param ids those that the server can do it with */
function outcome(rig: Rig, wish: TrashWish | undefined, keeps: readonly string[] = []): TrashOutcome {
  if (wish === undefined || wish.type === "empty") {
    const count = rig.there.length;
    rig.there = [];
    return { done: null, count, failed: 0, code: null };
  }
  const done = wish.ids.filter((id) => !keeps.includes(id));
  rig.there = rig.there.filter((id) => !done.includes(id));
  const failed = wish.ids.length - done.length;
  return { done, count: done.length, failed, code: failed > 0 ? "internal" : null };
}

walkTests<Rig>({
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
    answered("it is done", changed, (rig, wish) => outcome(rig, wish)),
    answered("it is done with some", changed, (rig, wish) => outcome(rig, wish, [first])),
    refused("it can't be done", changed, failure("network")),
  ],
  situation: (rig) => {
    const items = selectItems(snapshot(rig)).map(({ id }) => id);
    const wish = snapshot(rig).context.wish;
    return [items.join(), rig.there.join(), selectTotal(snapshot(rig)), selectHasMore(snapshot(rig)), wish?.type];
  },
  rules: {
    "one call at a time": ({ fetchPage, change }) => fetchPage.open().length + change.open().length <= 1,
    "nothing is erased that was not confirmed": (rig) =>
      selectConfirming(snapshot(rig)) === null || rig.change.open().length === 0,
    "no row stands twice": (rig) =>
      new Set(selectItems(snapshot(rig)).map(({ id }) => id)).size === selectItems(snapshot(rig)).length,
    "there are never more rows than were counted": (rig) => selectItems(snapshot(rig)).length <= selectTotal(snapshot(rig)),
    "who sees nothing is told why": (rig) =>
      selectItems(snapshot(rig)).length > 0 ||
      selectTotal(snapshot(rig)) === 0 ||
      selectIsLoading(snapshot(rig)) ||
      selectError(snapshot(rig)) !== null,
  },
});
