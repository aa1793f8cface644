import { expect, test } from "vitest";
import { createActor } from "xstate";
import {
  type FiledFiltersEvent,
  filedFiltersMachine,
  filedFiltersOf,
  selectFolder,
  selectIsNarrowedByFiling,
  selectOnlyFavourites,
  selectTags,
} from "#machines/transcriptions/filed-filters.ts";
import { type FiledFilters, fitsFiled, isSameFiled, noFiledFilters } from "#machines/transcriptions/rules.ts";
import { row, stopsAfterTest } from "#tests/machines/harness.ts";

function setUp(...events: readonly FiledFiltersEvent[]) {
  const actor = stopsAfterTest(createActor(filedFiltersMachine).start());
  for (const event of events) actor.send(event);
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  const chosen = () => [get(selectFolder), get(selectTags), get(selectOnlyFavourites), get(selectIsNarrowedByFiling)];
  return { send: actor.send.bind(actor), get, chosen };
}

test("shows transcripts of all folders and tags at first", () => {
  const { chosen, get } = setUp();
  expect([chosen(), get(filedFiltersOf)]).toEqual([["all", [], false, false], noFiledFilters]);
});

test('selects a folder or "no folder", and deselects it', () => {
  const { send, chosen } = setUp({ type: "folder.changed", folder: "w" });
  expect(chosen()).toEqual(["w", [], false, true]);
  send({ type: "folder.changed", folder: "none" });
  expect(chosen()).toEqual(["none", [], false, true]);
  send({ type: "folder.changed", folder: "all" });
  expect(chosen()).toEqual(["all", [], false, false]);
});

test("selects several tags and favorites", () => {
  const { send, chosen } = setUp({ type: "tag.toggled", id: "u" }, { type: "tag.toggled", id: "l" });
  expect(chosen()).toEqual(["all", ["u", "l"], false, true]);
  send({ type: "tag.toggled", id: "u" });
  send({ type: "favourites.toggled" });
  expect(chosen()).toEqual(["all", ["l"], true, true]);
  send({ type: "tag.toggled", id: "l" });
  expect(chosen()).toEqual(["all", [], true, true]);
  send({ type: "favourites.toggled" });
  expect(chosen()).toEqual(["all", [], false, false]);
});

test("clears all filters together", () => {
  const { send, chosen } = setUp(
    { type: "folder.changed", folder: "w" },
    { type: "tag.toggled", id: "u" },
    { type: "favourites.toggled" },
  );
  send({ type: "filters.cleared" });
  expect(chosen()).toEqual(["all", [], false, false]);
});

test("drops deleted folders and tags from the filters", () => {
  const { send, chosen, get } = setUp(
    { type: "folder.changed", folder: "w" },
    { type: "tag.toggled", id: "u" },
    { type: "tag.toggled", id: "l" },
  );
  send({ type: "filing.changed", folders: ["w", "h"], tags: ["l", "u"] });
  expect(chosen()).toEqual(["w", ["u", "l"], false, true]);
  send({ type: "filing.changed", folders: ["h"], tags: ["l"] });
  expect([chosen(), [...get(filedFiltersOf).folders]]).toEqual([["all", ["l"], false, true], ["h"]]);
  send({ type: "folder.changed", folder: "none" });
  send({ type: "filing.changed", folders: [], tags: [] });
  expect(chosen()).toEqual(["none", [], false, true]);
});

const fits = (filters: Partial<FiledFilters>, filed?: Parameters<typeof row>[1]) =>
  fitsFiled(row(1, filed), { ...noFiledFilters, folders: new Set(["w"]), ...filters });
const inWork = { filed: { folderId: "w", tagIds: ["u", "l"], favourite: true } };

test("matches a row in the folder with all tags and the favorite mark", () => {
  expect([fits({}, inWork), fits({ folder: "w", tags: ["l", "u"], favourites: true }, inWork)]).toEqual([true, true]);
  expect([fits({ folder: "h" }, inWork), fits({ tags: ["u", "x"] }, inWork), fits({ folder: "none" }, inWork)]).toEqual([
    false,
    false,
    false,
  ]);
  // A transcription that was never filed, and the row of a server without folders.
  expect([fits({ folder: "none" }), fits({ favourites: true }), fits({ tags: ["u"] }), fits({})]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  // A transcription in a deleted folder counts as unfiled.
  expect(fits({ folder: "none", folders: new Set() }, inWork)).toBe(true);
});

test("depends on other folders only when it filters rows without a folder", () => {
  const other = new Set(["h"]);
  const same = (filters: Partial<FiledFilters>) =>
    isSameFiled({ ...noFiledFilters, ...filters }, { ...noFiledFilters, ...filters, folders: other });
  expect([same({ folder: "w" }), same({}), same({ folder: "none" })]).toEqual([true, true, false]);
  expect(isSameFiled(noFiledFilters, { ...noFiledFilters, tags: ["u"] })).toBe(false);
});
