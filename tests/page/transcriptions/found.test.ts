import { expect, onTestFinished, test, vi } from "vitest";
import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import {
  type PageAnswer,
  type PageRequest,
  type TranscriptionsCommand,
  transcriptionsMachine,
} from "#machines/transcriptions/machine.ts";
import { followFound } from "#src/features/transcriptions/found.ts";
import { row, stopsAfterTest, tick } from "#tests/machines/harness.ts";

function filtersIn(actor: ActorRefFrom<typeof transcriptionsMachine>) {
  const { filters } = actor.getSnapshot().children;
  return filters ?? expect.fail("there are no filters");
}

/** A list of these rows, loaded. */
async function setUp(titles: readonly string[]) {
  const data = titles.map((title, index) => row(titles.length - index, { title }));
  const pagination = { page: 1, limit: data.length, total: data.length, totalPages: 1 };
  const idle = fromCallback<TranscriptionsCommand>(() => {});
  const machine = transcriptionsMachine.provide({
    actors: {
      fetchPage: fromPromise<PageAnswer, PageRequest>(async () => ({ data, pagination })),
      commands: idle,
      updates: idle,
    },
  });
  const actor = stopsAfterTest(createActor(machine, { input: { now: () => 0 } }).start());
  const filters = filtersIn(actor);
  const found = followFound(
    actor,
    filters,
    fromPromise(() => Promise.reject(new Error("nothing here is long"))),
  );
  actor.send({ type: "list.requested" });
  await tick();
  return {
    actor,
    filters,
    found,
    search: (term: string) => filters.send({ type: "search.changed", term }),
    titles: () => found.get().map(({ title }) => title),
  };
}

test("everything is found as long as nothing is searched", async () => {
  const { titles } = await setUp(["tea", "milk"]);
  expect(titles()).toEqual(["tea", "milk"]);
});

test("a longer term narrows, a shorter one widens, another one begins anew", async () => {
  const { search, titles } = await setUp(["tea", "teapot", "milk"]);
  for (const [term, expected] of [
    ["t", ["tea", "teapot"]],
    ["teap", ["teapot"]],
    ["te", ["tea", "teapot"]],
    [" TEA ", ["tea", "teapot"]],
    ["teapots", []],
    ["mi", ["milk"]],
    ["", ["tea", "teapot", "milk"]],
  ] as const) {
    search(term);
    await tick();
    expect(titles(), term).toEqual(expected);
  }
});

test("a file that can't be read is none of them, searched or not", async () => {
  const { actor, search, titles } = await setUp(["tea", "milk"]);
  const failed = row(9, { title: "tea.mp3", status: "failed", error: { message: "no", code: "notAudio" } });
  actor.send({ type: "transcription.updated", transcription: failed });
  await tick();
  expect(titles()).toEqual(["tea", "milk"]);
  search("tea");
  await tick();
  expect(titles()).toEqual(["tea"]);
});

test("rows that come and go are found and not found any more", async () => {
  const { actor, search, titles } = await setUp(["tea", "milk"]);
  search("tea");
  await tick();
  actor.send({ type: "transcription.updated", transcription: row(9, { title: "more tea" }) });
  await tick();
  expect(titles()).toEqual(["more tea", "tea"]);
  actor.send({ type: "transcriptions.removed", ids: ["t2"] });
  await tick();
  expect(titles()).toEqual(["more tea"]);
});

test("a filter that changes is not answered with what another one left", async () => {
  const { filters, search, titles } = await setUp(["tea", "milk"]);
  search("tea");
  await tick();
  filters.send({ type: "status.changed", status: "failed" });
  await tick();
  expect(titles()).toEqual([]);
  filters.send({ type: "status.changed", status: "all" });
  await tick();
  expect(titles()).toEqual(["tea"]);
});

test("what was asked for first does not come after what was asked for last", async () => {
  const { search, titles } = await setUp(["tea", "milk"]);
  search("tea");
  search("");
  await tick();
  expect(titles()).toEqual(["tea", "milk"]);
});

test("what stands behind the beginning of a long text is found by the server", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const data = [row(3, { title: "tea", shortened: true }), row(2, { title: "milk" }), row(1, { title: "long", shortened: true })];
  const pagination = { page: 1, limit: 3, total: 3, totalPages: 1 };
  const idle = fromCallback<TranscriptionsCommand>(() => {});
  const machine = transcriptionsMachine.provide({
    actors: {
      fetchPage: fromPromise<PageAnswer, PageRequest>(async () => ({ data, pagination })),
      commands: idle,
      updates: idle,
    },
  });
  const actor = stopsAfterTest(createActor(machine, { input: { now: () => 0 } }).start());
  const asked: string[] = [];
  const filters = filtersIn(actor);
  const found = followFound(
    actor,
    filters,
    fromPromise<ReadonlySet<string>, { term: string }>(async ({ input }) => {
      asked.push(input.term);
      return new Set(data.filter(({ title }) => title !== "tea").map(({ id }) => id));
    }),
  );
  const titles = () => found.get().map(({ title }) => title);
  actor.send({ type: "list.requested" });
  await tick();
  filters.send({ type: "search.changed", term: "t" });
  filters.send({ type: "search.changed", term: " Tea" });
  await tick();
  expect(titles()).toEqual(["tea"]);
  await vi.advanceTimersByTimeAsync(300);
  await tick();
  // What is here whole is searched here alone.
  expect(titles()).toEqual(["tea", "long"]);
  expect(asked).toEqual(["tea"]);
  filters.send({ type: "status.changed", status: "failed" });
  await tick();
  expect(titles()).toEqual([]);
  filters.send({ type: "filters.cleared" });
  await tick();
  expect(titles()).toEqual(["tea", "milk", "long"]);
});
