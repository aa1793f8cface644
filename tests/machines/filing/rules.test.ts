import { expect, test } from "vitest";
import type { FilingAnswer } from "#contract/index.ts";
import { countFiled, filedOf, withEdit, withPlacing } from "#machines/filing/rules.ts";
import { row } from "#tests/machines/harness.ts";

const folder = (id: string, name: string): FilingAnswer["folders"][number] => ({ id, name });
const filed = (folderId: string | null, tagIds: string[] = [], favourite = false) =>
  row(1, { filed: { folderId, tagIds, favourite } });

test("treats a row that was never filed as filed nowhere", () => {
  expect([filedOf(row(1)), filedOf(filed("f", ["a"], true))]).toEqual([
    { folderId: null, tagIds: [], favourite: false },
    { folderId: "f", tagIds: ["a"], favourite: true },
  ]);
});

test("keeps what a change does not name, and adds a tag only once", () => {
  const before = filed("f", ["a", "b"], true);
  expect(withPlacing(before, {}).filed).toEqual({ folderId: "f", tagIds: ["a", "b"], favourite: true });
  expect(withPlacing(before, { folderId: null, favourite: false }).filed).toEqual({
    folderId: null,
    tagIds: ["a", "b"],
    favourite: false,
  });
  expect(withPlacing(before, { addTags: ["a", "c"], removeTags: ["b"] }).filed.tagIds).toEqual(["a", "c"]);
  expect(withPlacing(row(1), { folderId: "g", favourite: true }).filed).toEqual({ folderId: "g", tagIds: [], favourite: true });
});

test("counts the history's rows by folder, tag and favorite", () => {
  const { rows, folders, tags, favourites } = countFiled([
    filed("f", ["a", "b"], true),
    filed("f", ["a"], true),
    filed(null),
    row(2),
  ]);
  expect([rows, [...folders], [...tags], favourites]).toEqual([
    4,
    [
      ["f", 2],
      [null, 2],
    ],
    [
      ["a", 2],
      ["b", 1],
    ],
    2,
  ]);
});

test("keeps folders sorted by name, ignoring case, after every edit", () => {
  const answer: FilingAnswer = { folders: [folder("1", "alpha"), folder("2", "Gamma")], tags: [] };
  const names = ({ folders }: FilingAnswer) => folders.map(({ id, name }) => `${id} ${name}`);
  expect(names(withEdit(answer, { kind: "folder", id: null, draft: { name: "Beta" } }, "3"))).toEqual([
    "1 alpha",
    "3 Beta",
    "2 Gamma",
  ]);
  expect(names(withEdit(answer, { kind: "folder", id: "1", draft: { name: "Zeta" } }, "1"))).toEqual(["2 Gamma", "1 Zeta"]);
  const deleted = withEdit(answer, { kind: "folder", id: "1", draft: null }, "1");
  expect([names(deleted), deleted.tags]).toEqual([["2 Gamma"], answer.tags]);
});
