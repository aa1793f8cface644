import { createActor, type SnapshotFrom } from "xstate";
import type { TranscriptionsCommand, TranscriptionsEvent } from "#machines/transcriptions/events.ts";
import {
  type FiltersEvent,
  selectIsNarrowed as selectFiltersNarrow,
  selectSearchTerm,
} from "#machines/transcriptions/filters.ts";
import { transcriptionsMachine } from "#machines/transcriptions/machine.ts";
import { type PageAnswer, type PageRequest, sorted } from "#machines/transcriptions/rules.ts";
import { selectHasMore } from "#machines/transcriptions/selectors.ts";
import { row } from "#tests/machines/harness.ts";
import { answered, failure, refused, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import type { Move, RunOptions, Walk } from "#tests/paths/harness-walk.ts";

/** Newest first: more than two pages. */
const newest = row(200);
/** It can be retried. */
const second = row(99, { status: "failed", error: { message: "no", code: "engineFailed" } });
const rows = Array.from({ length: 45 }, (_, index) => (index === 1 ? second : row(100 - index)));

function filtersOnly({ children }: SnapshotFrom<typeof transcriptionsMachine>): boolean {
  const filters = children.filters?.getSnapshot();
  return filters !== undefined && selectFiltersNarrow(filters) && selectSearchTerm(filters) === "";
}

function prepare(stubs: Stubs) {
  const fetchPage = stubs.asking<PageAnswer, PageRequest>();
  const commands = stubs.callback<TranscriptionsEvent, TranscriptionsCommand>();
  const updates = stubs.callback<TranscriptionsEvent, TranscriptionsCommand>();
  const machine = transcriptionsMachine.provide({
    actors: { fetchPage: fetchPage.logic, commands: commands.logic, updates: updates.logic },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { now: () => clock.now() } });
    // `late`: the server answers a request that it received before the deletion.
    const server = { hasNewest: false, hasSecond: true, late: false };
    const said: { request: PageRequest; answer: PageAnswer }[] = [];
    // Like the page (src/features/transcriptions/found.ts): with only a filter, the next pages are loaded if the
    // results don't fill the screen. The server handles searches.
    actor.subscribe((snapshot) => {
      if (filtersOnly(snapshot) && snapshot.matches("settled") && selectHasMore(snapshot)) actor.send({ type: "more.requested" });
    });
    return { actor, fetchPage, commands, updates, server, said, failures: 0 };
  };
}
export type TranscriptionsHarness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: TranscriptionsHarness) => actor.getSnapshot().context;
const asked = ({ fetchPage }: TranscriptionsHarness) => fetchPage;
const isFetching = ({ fetchPage }: TranscriptionsHarness) => fetchPage.open().length > 0;

function page(
  { server, said: answers }: TranscriptionsHarness,
  { page: number, limit, sort = "newest" }: PageRequest = { page: 1, limit: 20 },
): PageAnswer {
  const left = server.hasSecond || server.late ? rows : rows.filter(({ id }) => id !== second.id);
  const all = sorted(server.hasNewest ? [newest, ...left] : left, sort);
  server.late = false;
  const data = all.slice((number - 1) * limit, number * limit);
  const pagination = { page: number, limit, total: all.length, totalPages: Math.ceil(all.length / limit) };
  const answer = { data, pagination };
  answers.push({ request: { page: number, limit, sort }, answer });
  return answer;
}

/** The person types or chooses: the child's paths are its own. */
const narrowed = (event: FiltersEvent): Move<TranscriptionsHarness> => ({
  name: event.type,
  may: ({ actor }) => actor.getSnapshot().children.filters !== undefined,
  happen: ({ actor }) => actor.getSnapshot().children.filters?.send(event),
});

const lost = refused("the page can't be had", asked, failure("network"));
const failed: TranscriptionsEvent = { type: "command.failed", command: "retry.requested", code: "network" };
const commandFails = said(failed, ({ commands }: TranscriptionsHarness) => commands);
const minute = 60_000;
const opens: Move<TranscriptionsHarness> = {
  name: "the dashboard is opened",
  may: () => true,
  happen: ({ actor }) => {
    actor.send({ type: "order.changed", sort: "newest" });
    actor.send({ type: "list.requested" });
  },
};
const byTitle: Move<TranscriptionsHarness> = {
  name: "by title",
  may: (harness) => isUnchanged(harness) && context(harness).sort === "newest",
  happen: ({ actor }) => {
    actor.send({ type: "order.changed", sort: "title" });
    actor.send({ type: "list.requested" });
  },
};
const choose = sent<TranscriptionsEvent>({ type: "selection.changed", id: second.id });
const appears: Move<TranscriptionsHarness> = {
  name: "another one is made",
  may: () => true,
  happen: ({ updates, server }) => {
    server.hasNewest = true;
    updates.say({ type: "transcription.updated", transcription: newest });
  },
};
const goes: Move<TranscriptionsHarness> = {
  name: "one is deleted",
  may: (harness) => harness.server.hasSecond && context(harness).lastFetch !== null,
  happen: (harness) => {
    harness.server.hasSecond = false;
    harness.server.late = isFetching(harness);
    harness.updates.say({ type: "transcriptions.removed", ids: [second.id] });
  },
};
const returns: Move<TranscriptionsHarness> = {
  name: "it is brought back",
  may: (harness) => !harness.server.hasSecond && !isFetching(harness),
  happen: (harness) => {
    harness.server.hasSecond = true;
    harness.updates.say({ type: "transcriptions.returned", transcriptions: [second] });
  },
};

/** The rows make no difference to it: other moves cover them. */
const isUnchanged = (harness: TranscriptionsHarness) =>
  !harness.server.hasNewest && harness.server.hasSecond && !context(harness).isNarrowed;
const wantAll = sent<TranscriptionsEvent>({ type: "all.requested" });
const outdated = said<TranscriptionsHarness, TranscriptionsEvent, TranscriptionsCommand, unknown>(
  { type: "list.outdated" },
  ({ updates }) => updates,
);

/** In another order only related moves occur: the usual order covers the rest. */
const whereOrdered = (move: Move<TranscriptionsHarness>): Move<TranscriptionsHarness> => ({
  ...move,
  may: (harness, clock) => (context(harness).sort === "newest" || ordered.includes(move.name)) && move.may(harness, clock),
});
const ordered = ["the dashboard is opened", "more.requested", "the page comes", "the page can't be had"];

const moves: Move<TranscriptionsHarness>[] = [
  opens,
  byTitle,
  {
    ...opens,
    name: "the dashboard is opened a minute later",
    // Only data that can be outdated makes it another move.
    may: (harness) => context(harness).lastFetch !== null || !harness.actor.getSnapshot().matches("waiting"),
    happen: (harness, clock) => {
      clock.increment(minute);
      opens.happen(harness, clock);
    },
  },
  sent({ type: "more.requested" }),
  narrowed({ type: "search.changed", term: "title" }),
  narrowed({ type: "status.changed", status: "completed" }),
  narrowed({ type: "filters.cleared" }),
  { ...choose, may: ({ server }) => server.hasSecond },
  { ...outdated, may: (harness, clock) => isUnchanged(harness) && outdated.may(harness, clock) },
  // Also with another row: if all loading rows were removed, they are requested again.
  {
    ...wantAll,
    may: (harness, clock) => harness.server.hasSecond && !context(harness).isNarrowed && wantAll.may(harness, clock),
  },
  sent({ type: "retry.requested", id: second.id }),
  sent({ type: "unsavedRetry.requested" }),
  appears,
  goes,
  returns,
  {
    ...commandFails,
    happen: (harness, clock) => {
      harness.failures += 1;
      commandFails.happen(harness, clock);
    },
  },
  answered("the page comes", asked, page),
  {
    ...lost,
    happen: (harness, clock) => {
      harness.server.late = false;
      lost.happen(harness, clock);
    },
  },
];

export const transcriptionsWalk: Walk<TranscriptionsHarness> = {
  machine: transcriptionsMachine,
  prepare,
  moves: moves.map(whereOrdered),
  situation: (harness, clock) => {
    const { items, isNarrowed, lastFetch } = context(harness);
    const { hasNewest, hasSecond, late } = harness.server;
    const lists = [
      context(harness).wantsAll,
      items.length,
      lastFetch !== null && clock.now() - lastFetch >= minute,
      lastFetch === null,
    ];
    return [...lists, isNarrowed, hasNewest, hasSecond, late];
  },
  rules: {
    "one fetch at a time": ({ fetchPage }) => fetchPage.open().length <= 1,
    "no row stands twice": (harness) =>
      new Set(context(harness).items.map(({ id }) => id)).size === context(harness).items.length,
    "the rows are in order": (harness) =>
      sorted(context(harness).items, context(harness).sort).every((row, at) => row === context(harness).items[at]),
    "what was deleted is not there, even if an answer is late": (harness) =>
      harness.server.hasSecond || !context(harness).items.some(({ id }) => id === second.id),
    "there are never more rows than were counted": (harness) =>
      context(harness).items.length <= context(harness).pagination.total,
    "who filters has everything, or is getting it, or hears why not": (harness) =>
      !filtersOnly(harness.actor.getSnapshot()) ||
      isFetching(harness) ||
      context(harness).items.length === context(harness).pagination.total ||
      !harness.actor.getSnapshot().matches("settled"),
    "who wants all is getting all": (harness) => !context(harness).wantsAll || isFetching(harness),
    "what is chosen has not been deleted": (harness) => harness.server.hasSecond || context(harness).selectedId !== second.id,
  },
};
