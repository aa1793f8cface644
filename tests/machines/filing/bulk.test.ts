import { expect, test } from "vitest";
import { createActor } from "xstate";
import {
  type ArchiveOrder,
  bulkMachine,
  type PlacingOrder,
  type PlacingOutcome,
  selectIsArchiving,
} from "#machines/filing/bulk.ts";
import type { BulkEmitted } from "#machines/filing/events.ts";
import { countFiled, withPlacing } from "#machines/filing/rules.ts";
import { answering, row, stopsAfterTest } from "#tests/machines/harness.ts";

function setUp() {
  const place = answering<PlacingOutcome, PlacingOrder>();
  const archive = answering<void, ArchiveOrder>();
  const actor = stopsAfterTest(createActor(bulkMachine.provide({ actors: { place: place.logic, archive: archive.logic } })));
  const emitted: BulkEmitted[] = [];
  for (const type of ["rows.placed", "placing.failed", "archive.failed"] as const) actor.on(type, (event) => emitted.push(event));
  actor.start();
  return { place, archive, emitted, send: actor.send.bind(actor), isArchiving: () => selectIsArchiving(actor.getSnapshot()) };
}

const done = (ids: readonly string[], failed = 0, code: string | null = null): PlacingOutcome => ({ done: ids, failed, code });

test("files rows one request after another, in order", async () => {
  const { place, emitted, send } = setUp();
  send({ type: "placing.requested", ids: ["a", "b"], placing: { folderId: "w" } });
  send({ type: "placing.requested", ids: ["a"], placing: { favourite: true } });
  expect(place.inputs()).toEqual([{ ids: ["a", "b"], placing: { folderId: "w" } }]);
  await place.last().resolve(done(["a", "b"]));
  expect(place.inputs()[1]).toEqual({ ids: ["a"], placing: { favourite: true } });
  await place.last().resolve(done(["a"]));
  expect(emitted).toEqual([
    { type: "rows.placed", ids: ["a", "b"], placing: { folderId: "w" } },
    { type: "rows.placed", ids: ["a"], placing: { favourite: true } },
  ]);
});

test("emits how many rows failed, and continues with the next request", async () => {
  const { place, emitted, send } = setUp();
  send({ type: "placing.requested", ids: ["a", "b"], placing: { addTags: ["u"] } });
  send({ type: "placing.requested", ids: ["c"], placing: { folderId: null } });
  await place.last().resolve(done(["b"], 1, "tooManyAtOnce"));
  await place.last().reject("network");
  send({ type: "placing.requested", ids: ["d"], placing: { folderId: null } });
  await place.last().resolve(done([], 1));
  expect(emitted).toEqual([
    { type: "placing.failed", count: 1, code: "tooManyAtOnce" },
    { type: "rows.placed", ids: ["b"], placing: { addTags: ["u"] } },
    { type: "placing.failed", count: 1, code: "network" },
    { type: "placing.failed", count: 1, code: "internal" },
    { type: "rows.placed", ids: [], placing: { folderId: null } },
  ]);
});

test("makes one archive at a time, in parallel with other actions", async () => {
  const { place, archive, emitted, send, isArchiving } = setUp();
  send({ type: "archive.requested", ids: ["a"], format: "txt" });
  send({ type: "archive.requested", ids: ["b"], format: "txt" });
  send({ type: "placing.requested", ids: ["a"], placing: { favourite: true } });
  expect([archive.inputs(), place.asked.length, isArchiving()]).toEqual([[{ ids: ["a"], format: "txt" }], 1, true]);
  await archive.last().resolve();
  expect(isArchiving()).toBe(false);
  send({ type: "archive.requested", ids: ["b"], format: "srt" });
  await archive.last().reject("network");
  expect([emitted, isArchiving()]).toEqual([[{ type: "archive.failed", code: "network" }], false]);
});

test("changes a row's filing and keeps what the change does not name", () => {
  const once = withPlacing(row(1), { folderId: "w", addTags: ["u", "l"] });
  expect(once.filed).toEqual({ folderId: "w", tagIds: ["u", "l"], favourite: false });
  const twice = withPlacing(once, { removeTags: ["u"], addTags: ["l"], favourite: true });
  expect(twice.filed).toEqual({ folderId: "w", tagIds: ["l"], favourite: true });
  expect(withPlacing(twice, { folderId: null, favourite: false }).filed).toEqual({
    folderId: null,
    tagIds: ["l"],
    favourite: false,
  });
});

test("counts the rows that are in each folder and have each tag", () => {
  const rows = [
    row(1),
    withPlacing(row(2), { folderId: "w", addTags: ["u"] }),
    withPlacing(row(3), { addTags: ["u"], favourite: true }),
  ];
  const { folders, tags, ...rest } = countFiled(rows);
  expect([[...folders], [...tags], rest]).toEqual([
    [
      [null, 2],
      ["w", 1],
    ],
    [["u", 2]],
    { rows: 3, favourites: 1 },
  ]);
});
