import { expect, onTestFinished, test } from "vitest";
import type { Filed, FilingAnswer, FilingChange, HistoryAnswer, TranscriptionSummary } from "#contract/index.ts";
import { answer, openPage, openStream, page, refusal, userEvent } from "#tests/components/harness.ts";
import { violations } from "#tests/components/harness-axe.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { act, openActions, openTranscript, shownTexts, transcriptionOf } from "#tests/components/harness-transcripts.ts";
import { savedFiles } from "#tests/components/vault/kept-vault.ts";

const base = "/api/v1/audio-transcriptions";
const rows = page.getByRole("list", { name: "Transcripts" }).getByRole("listitem");
const titles = () => rows.elements().map((row) => row.querySelector("a span")?.textContent ?? "");
const filed = page.getByRole("region", { name: "Folders and tags" });
const entry = (name: string) => filed.getByRole("link", { name, exact: true });
const remove = (name: string) => page.getByRole("button", { name: `Remove ${name}`, exact: true }).click();
const bar = page.getByRole("region", { name: "Selected transcripts" });
const dialog = page.getByRole("dialog");
const star = (at: number) => rows.nth(at).getByRole("button", { name: "Favorite", exact: true });
/** Opens a row's menu, which shows whether the row is a favourite. */
async function openRow(at: number): Promise<void> {
  await rows
    .nth(at)
    .getByLabelText(/^Actions for/)
    .click();
}
const menu = (name: string) => bar.getByText(name, { exact: true }).click();

/** Moves the pointer out of the corner where the sidebar opens over the folders. */
const leaveSidebar = () => page.getByRole("searchbox").hover();

const rowOf = (number: number, at: Partial<Filed> = {}): TranscriptionSummary => ({
  ...transcriptionOf({ segments: [], text: `It is number ${number}.` }),
  id: `no-${number}`,
  title: `number ${number}`,
  date: new Date(Date.UTC(2026, 2, 1) - number * 60_000).toISOString(),
  filed: { folderId: null, tagIds: [], favourite: false, ...at },
});

const work: FilingAnswer = {
  folders: [{ id: "work", name: "Work" }],
  tags: [
    { id: "late", name: "Late", colour: "pink" },
    { id: "urgent", name: "Urgent", colour: "red" },
  ],
};

/** A server with folders and tags that refuses duplicate names. */
function keepFiling(all: readonly TranscriptionSummary[], { folders, tags }: FilingAnswer = work) {
  const kept = { folders: [...folders], tags: [...tags] };
  const placed: FilingChange[] = [];
  const edits: unknown[] = [];
  let stream = openStream();
  let made = 0;
  const taken = (name: string, id?: unknown) =>
    kept.folders.some((one) => one.id !== id && one.name.toLowerCase() === name.toLowerCase());
  answer({
    [`GET ${base}/transcription-history`]: (): HistoryAnswer => ({
      data: [...all],
      next: null,
      pagination: { page: 1, limit: 20, total: all.length, totalPages: 1 },
    }),
    [`GET ${base}/transcription/:id`]: refusal(404, "notFound"),
    [`GET ${base}/filing`]: () => kept,
    [`GET ${base}/events`]: () => {
      stream = openStream();
      return stream.response;
    },
    [`POST ${base}/filing`]: async ({ request }) => {
      const change: FilingChange = await request.json();
      placed.push(change);
      return { done: change.ids, failed: [] };
    },
    [`POST ${base}/folders`]: async ({ request }) => {
      const { name } = await request.json();
      if (taken(name)) return refusal(409, "conflict");
      edits.push(["POST folder", name]);
      made += 1;
      const folder = { id: `made-${made}`, name };
      kept.folders.push(folder);
      return folder;
    },
    [`POST ${base}/tags`]: async ({ request }) => {
      const draft = await request.json();
      edits.push(["POST tag", draft]);
      made += 1;
      const tag = { id: `made-${made}`, ...draft };
      kept.tags.push(tag);
      return tag;
    },
    [`PUT ${base}/folders/:id`]: async ({ request, params }) => {
      const { name } = await request.json();
      edits.push(["PUT folder", params.id, name]);
      return { id: String(params.id), name };
    },
    [`PUT ${base}/tags/:id`]: async ({ request, params }) => {
      const draft = await request.json();
      edits.push(["PUT tag", params.id, draft]);
      return { id: String(params.id), ...draft };
    },
    [`DELETE ${base}/:kind/:id`]: ({ params }) => {
      edits.push(["DELETE", params.kind, params.id]);
      return new Response(null, { status: 204 });
    },
  });
  return { placed, edits, tell: (now: FilingAnswer) => stream.send("filing", now) };
}

test("filters the history by folder, tags and favorites, and shows all transcripts when the filters are cleared", async () => {
  keepFiling([
    rowOf(1, { folderId: "work", tagIds: ["urgent"] }),
    rowOf(2, { folderId: "work", favourite: true }),
    rowOf(3, { tagIds: ["urgent", "late"], favourite: true }),
  ]);
  await openPage("/dashboard");
  await expect.poll(titles).toEqual(["number 1", "number 2", "number 3"]);
  await leaveSidebar();
  await expect
    .poll(() => textsOf(filed.getByRole("link")))
    .toEqual(["Favorites", "Folder: Work", "No folder", "Tag: Late", "Tag: Urgent"]);
  await expect.poll(() => textsOf(rows)[2]).toMatch(/Tag: Late.*Tag: Urgent/);
  await entry("Folder: Work").click();
  await expect.poll(titles).toEqual(["number 1", "number 2"]);
  await expect.element(page.getByText("2 of 3")).toBeVisible();
  await entry("Tag: Urgent").click();
  await expect.poll(titles).toEqual(["number 1"]);
  await entry("Tag: Late").click();
  await expect.element(page.getByText("0 of 3")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await expect.poll(() => titles().length).toBe(3);
  await expect.element(entry("Folder: Work")).not.toHaveAttribute("aria-current");
  await entry("Favorites").click();
  await expect.poll(titles).toEqual(["number 2", "number 3"]);
  await entry("No folder").click();
  await expect.poll(titles).toEqual(["number 3"]);
  await remove("No folder");
  await expect.poll(titles).toEqual(["number 2", "number 3"]);
});

test("keeps folder, tags and search in the address, also for Back and for another visit", async () => {
  keepFiling([rowOf(1, { folderId: "work", tagIds: ["urgent"] }), rowOf(2, { folderId: "work" }), rowOf(3)]);
  await openPage(`/dashboard?folder=work&tags=${encodeURIComponent('["urgent","gone"]')}&status=nonsense`);
  await expect.poll(titles).toEqual(["number 1"]);
  // A tag that no longer exists leaves the address.
  await expect.poll(() => new URLSearchParams(location.search).get("tags")).toBe('["urgent"]');
  await expect.element(entry("Tag: Urgent")).toHaveAttribute("aria-current", "true");
  await leaveSidebar();
  await entry("Tag: Urgent").click();
  await expect.poll(titles).toEqual(["number 1", "number 2"]);
  await page.getByRole("link", { name: "All transcripts" }).click();
  await expect.poll(titles).toEqual(["number 1", "number 2", "number 3"]);
  expect(location.search).toBe("");
  history.back();
  await expect.poll(titles).toEqual(["number 1", "number 2"]);
  await page.getByRole("searchbox").fill("number 2");
  await expect.poll(() => new URLSearchParams(location.search).get("q")).toBe("number 2");
  await page.getByRole("link", { name: "Trash" }).click();
  await expect.element(page.getByRole("heading", { name: "Trash", exact: true })).toBeVisible();
  history.back();
  await expect.element(page.getByRole("searchbox")).toHaveValue("number 2");
  await expect.poll(titles).toEqual(["number 2"]);
});

test("updates the list of transcripts after two Back steps at once", async () => {
  keepFiling([rowOf(1, { folderId: "work", tagIds: ["urgent"] }), rowOf(2, { folderId: "work" }), rowOf(3)]);
  await openPage("/dashboard");
  await leaveSidebar();
  await entry("Folder: Work").click();
  await expect.poll(titles).toEqual(["number 1", "number 2"]);
  await entry("Tag: Urgent").click();
  await expect.poll(titles).toEqual(["number 1"]);
  history.back();
  history.back();
  await expect.poll(titles).toEqual(["number 1", "number 2", "number 3"]);
});

const library = page.getByRole("navigation", { name: "Library" });
const place = (name: string) => library.getByRole("link", { name, exact: true });

/** The positions of the title and of the library, with the library's links. */
async function frameOf(title: string) {
  const heading = page.getByRole("heading", { name: title, exact: true, level: 1 });
  await expect.element(heading).toBeVisible();
  const { left, top, height } = heading.element().getBoundingClientRect();
  const nav = library.element().getBoundingClientRect();
  return { title: { left, top, height }, nav: nav.toJSON(), links: textsOf(library.getByRole("link")) };
}

test("keeps the library in place on the pages of shared transcripts and the trash", async () => {
  keepFiling([rowOf(1, { folderId: "work", tagIds: ["urgent"] }), rowOf(2, { tagIds: ["late"] })]);
  answer({ [`GET ${base}/shared-with-me`]: { shares: [] } });
  await openPage("/dashboard?folder=work&sort=title");
  await expect.poll(titles).toEqual(["number 1"]);
  await leaveSidebar();
  const frame = await frameOf("Dashboard");
  expect(frame.links).toHaveLength(8);
  for (const title of ["Shared with me", "Trash"]) {
    await place(title).click();
    await expect.element(place(title)).toHaveAttribute("aria-current", "page");
    expect(await frameOf(title)).toEqual(frame);
    expect(library.element().querySelectorAll("[aria-current]")).toHaveLength(1);
  }
  expect(await violations()).toEqual([]);
  await expect.element(page.getByText("30 days")).toBeVisible();
  await entry("Tag: Late").click();
  await expect.poll(titles).toEqual(["number 2"]);
  await expect.element(entry("Tag: Late")).toHaveAttribute("aria-current", "true");
  expect(location.search).toBe(`?tags=${encodeURIComponent('["late"]')}`);
  expect(await frameOf("Dashboard")).toEqual(frame);
  await place("Shared with me").click();
  await entry("Folder: Work").click();
  await expect.poll(titles).toEqual(["number 1"]);
  await expect.element(entry("Folder: Work")).toHaveAttribute("aria-current", "page");
  await place("Trash").click();
  await place("All transcripts").click();
  await expect.poll(titles).toEqual(["number 1", "number 2"]);
  await expect.element(place("All transcripts")).toHaveAttribute("aria-current", "page");
});

test("starts the list within 320 px on a phone, and hides the library in a closed sheet", async () => {
  await page.viewport(390, 844);
  onTestFinished(() => page.viewport(1280, 800));
  keepFiling([rowOf(1, { folderId: "work" }), rowOf(2)]);
  await openPage("/dashboard");
  await expect.poll(titles).toEqual(["number 1", "number 2"]);
  expect(rows.first().element().getBoundingClientRect().top).toBeLessThanOrEqual(320);
  expect(page.getByRole("button", { name: "New recording" }).element().getBoundingClientRect().bottom).toBeLessThan(320);
  // The link has no room for its text, but the text is still its name.
  await expect.element(page.getByRole("main").getByRole("link", { name: "Upload" })).toBeInViewport();
  await expect.element(library).not.toBeInTheDocument();
  const opener = page.getByRole("button", { name: "Library" });
  const { top } = opener.element().getBoundingClientRect();
  await opener.click();
  await expect.element(library).toBeVisible();
  expect(await violations()).toEqual([]);
  await place("Trash").click();
  await expect.element(library).not.toBeInTheDocument();
  await expect.element(page.getByRole("heading", { name: "The trash is empty" })).toBeVisible();
  expect(opener.element().getBoundingClientRect().top).toBe(top);
  await opener.click();
  await entry("Folder: Work").click();
  await expect.element(library).not.toBeInTheDocument();
  await expect.poll(titles).toEqual(["number 1"]);
});

// PROMISE history: Folders, tags and favourites apply to many rows; many rows export as one .zip
test("moves, tags and stars the selected rows with the keyboard, and creates a folder and a tag for them", async () => {
  const { placed, edits } = keepFiling([rowOf(1, { tagIds: ["late"] }), rowOf(2), rowOf(3)]);
  await openPage("/dashboard");
  await expect.element(rows.first().getByRole("link")).toBeVisible();
  await expect.element(bar).not.toBeInTheDocument();
  const link = rows.first().getByRole("link").element();
  if (link instanceof HTMLElement) link.focus();
  await userEvent.keyboard(" {Shift>}{ArrowDown}{/Shift}");
  await menu("Move");
  // The rows are in no folder.
  await expect.element(bar.getByRole("button", { name: "Remove from folder" })).not.toBeInTheDocument();
  await bar.getByRole("button", { name: "New folder…" }).click();
  await expect.element(dialog.getByLabelText("Name")).toHaveFocus();
  await userEvent.keyboard("  {Enter}WORK{Enter}");
  await expect.element(dialog.getByText("This name is already used. Choose a different one.")).toBeVisible();
  await dialog.getByLabelText("Name").fill("Home");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText("Moved to “Home”.")).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(placed).toEqual([{ ids: ["no-1", "no-2"], folderId: "made-1" }]);
  await expect.element(rows.nth(1)).toMatchTextContent(/Folder: Home/);

  await menu("Tags");
  const late = bar.getByRole("button", { name: "Tag: Late" });
  await expect.element(late).toHaveAttribute("aria-pressed", "mixed");
  await expect.element(bar.getByRole("button", { name: "Tag: Urgent" })).toHaveAttribute("aria-pressed", "false");
  await late.click();
  await expect.element(rows.nth(1)).toMatchTextContent(/Tag: Late/);
  await menu("Tags");
  await expect.element(late).toHaveAttribute("aria-pressed", "true");
  await late.click();
  await expect.element(rows.nth(0)).not.toMatchTextContent(/Tag: Late/);
  await menu("Tags");
  await bar.getByRole("button", { name: "New tag…" }).click();
  await expect.element(dialog.getByRole("radio", { name: "Blue" })).toBeChecked();
  await dialog.getByRole("radio", { name: "Teal" }).click();
  await dialog.getByLabelText("Name").fill("Soon");
  await userEvent.keyboard("{Enter}");
  await expect.element(rows.nth(1)).toMatchTextContent(/Tag: Soon/);
  await bar.getByRole("button", { name: "Favorite", exact: true }).click();
  await expect.element(bar.getByRole("button", { name: "Favorite", exact: true })).toHaveAttribute("aria-pressed", "true");
  await menu("Move");
  await bar.getByRole("button", { name: "Remove from folder" }).click();
  await expect.element(page.getByText("Removed from the folder.")).toBeVisible();
  const ids = ["no-1", "no-2"];
  expect(placed.slice(1)).toEqual([
    { ids, addTags: ["late"] },
    { ids, removeTags: ["late"] },
    { ids, addTags: ["made-2"] },
    { ids, favourite: true },
    { ids, folderId: null },
  ]);
  expect(edits).toEqual([
    ["POST folder", "Home"],
    ["POST tag", { name: "Soon", colour: "teal" }],
  ]);
});

test("edits folders and tags in their dialog, and shows changes from another tab", async () => {
  const { edits, tell } = keepFiling([rowOf(1, { folderId: "work", tagIds: ["urgent"] })]);
  await openPage("/dashboard");
  await filed.getByRole("button", { name: "Edit folders and tags" }).click();
  await dialog.getByRole("button", { name: "New folder" }).click();
  await dialog.getByLabelText("Name").fill("WORK");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(dialog.getByText("This name is already used.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(dialog.getByText("This name is already used.")).not.toBeInTheDocument();
  answer({ [`POST ${base}/folders`]: refusal(429, "tooManyAtOnce") });
  await dialog.getByRole("button", { name: "New folder" }).click();
  await dialog.getByLabelText("Name").fill("More");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(dialog.getByText("You have reached the limit of 200. Delete one you don’t need first.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await violations()).toEqual([]);
  await dialog.getByRole("button", { name: "Edit “Work”" }).click();
  await expect.element(dialog.getByLabelText("Name")).toHaveValue("Work");
  await dialog.getByLabelText("Name").fill("Job");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(dialog.getByRole("button", { name: "Edit “Job”" })).toBeVisible();
  await dialog.getByRole("button", { name: "Edit “Urgent”" }).click();
  await expect.element(dialog.getByRole("radio", { name: "Red" })).toBeChecked();
  await dialog.getByRole("radio", { name: "Gray" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("button", { name: "Delete “Job”" }).click();
  await expect.element(dialog.getByText("Delete the folder “Job”? Its transcripts stay.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.getByRole("button", { name: "Delete “Late”" }).click();
  await expect.element(dialog.getByText("Delete the tag “Late”? Transcripts with this tag stay.")).toBeVisible();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect.element(dialog.getByRole("button", { name: "Delete “Late”" })).not.toBeInTheDocument();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(edits).toEqual([
    ["PUT folder", "work", "Job"],
    ["PUT tag", "urgent", { name: "Urgent", colour: "grey" }],
    ["DELETE", "tags", "late"],
  ]);
  await entry("Folder: Job").click();
  tell({ folders: [{ id: "work", name: "Office" }], tags: [] });
  await expect.element(entry("Folder: Office")).toHaveAttribute("aria-current", "page");
  await expect.element(rows.first()).not.toMatchTextContent(/Tag/);
  await expect.poll(() => location.search).toBe("?folder=work");
  // The filter ends when its folder is deleted.
  tell({ folders: [], tags: [] });
  await expect.poll(() => location.search).toBe("");
  await expect.element(entry("Folder: Office")).not.toBeInTheDocument();
  await expect.element(entry("No folder")).not.toBeInTheDocument();
  await expect.poll(titles).toEqual(["number 1"]);
});

test("moves dragged rows into a folder, a tag or the favorites, and restores a star after a failure", async () => {
  const { placed } = keepFiling([rowOf(1), rowOf(2), rowOf(3)]);
  await openPage("/dashboard");
  await userEvent.dragAndDrop(rows.nth(2).getByRole("link"), entry("Folder: Work"));
  await expect.element(rows.nth(2)).toMatchTextContent(/Folder: Work/);
  await rows.nth(0).getByRole("checkbox").click();
  await rows.nth(1).getByRole("checkbox").click();
  await userEvent.dragAndDrop(rows.nth(1).getByRole("link"), entry("Tag: Late"));
  await expect.element(rows.nth(0)).toMatchTextContent(/Tag: Late/);
  await userEvent.dragAndDrop(rows.nth(0).getByRole("link"), entry("Favorites"));
  await expect.element(rows.nth(1)).toMatchTextContent(/Favorite/);
  await openRow(1);
  await expect.element(star(1)).toHaveAttribute("aria-pressed", "true");
  await star(1).click();
  await expect.element(rows.nth(1).getByTitle("Favorite")).not.toBeInTheDocument();
  expect(placed).toEqual([
    { ids: ["no-3"], folderId: "work" },
    { ids: ["no-1", "no-2"], addTags: ["late"] },
    { ids: ["no-1", "no-2"], favourite: true },
    { ids: ["no-2"], favourite: false },
  ]);
  answer({ [`POST ${base}/filing`]: refusal(500, "internal") });
  await openRow(0);
  await star(0).click();
  await expect
    .element(
      page
        .getByText("Internal server error")
        .or(page.getByText(/went wrong/))
        .first(),
    )
    .toBeVisible();
  await expect.element(rows.nth(0).getByTitle("Favorite")).toBeVisible();
  answer({
    [`POST ${base}/filing`]: ({ request }) =>
      request.json().then(({ ids }) => ({ done: [], failed: [{ id: ids[0], code: "tooManyAtOnce" }] })),
  });
  await menu("Tags");
  await bar.getByRole("button", { name: "Tag: Urgent" }).click();
  await expect.element(page.getByText("A transcript can have up to 30 tags. Remove one first.")).toBeVisible();
});

test("exports the selected rows as one archive, also on a phone", async () => {
  await page.viewport(390, 844);
  onTestFinished(() => page.viewport(1280, 800));
  keepFiling([rowOf(1), rowOf(2), rowOf(3)]);
  const saved = savedFiles();
  const asked: unknown[] = [];
  answer({
    [`POST ${base}/archive`]: async ({ request }) => {
      asked.push(await request.json());
      return new Response("zip");
    },
  });
  await openPage("/dashboard");
  await rows.nth(0).getByRole("checkbox").click();
  await rows.nth(2).getByRole("checkbox").click();
  await menu("Export");
  await expect.element(bar.getByText("All in one ZIP file:")).toBeVisible();
  await bar.getByRole("button", { name: "Subtitles (.srt)" }).click();
  await expect.poll(() => [...saved.keys()]).toEqual([`transcripts-${new Date().toISOString().slice(0, 10)}.zip`]);
  expect(asked).toMatchObject([{ ids: ["no-1", "no-3"], formats: ["srt"], lng: "en" }]);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  answer({ [`POST ${base}/archive`]: refusal(429, "tooManyRequests") });
  await menu("Export");
  await bar.getByRole("button", { name: "Subtitles (.srt)" }).click();
  await expect.element(page.getByRole("alert").first()).toBeVisible();
});

test("shows and changes a transcript's folder and tags on its page, but not when the server has no folders", async () => {
  const { placed } = keepFiling([]);
  await openTranscript({ filed: { folderId: null, tagIds: ["late"], favourite: false } });
  const main = page.getByRole("main");
  await expect.element(main.getByText("Tag: Late").first()).toBeInTheDocument();
  // Typed text is saved before a folder is chosen.
  await main
    .getByRole("button", { name: /^Correct the text/ })
    .first()
    .click();
  await userEvent.keyboard(" And more");
  const favourite = main.getByRole("button", { name: "Favorite", exact: true });
  await act("Favorite");
  await openActions();
  await expect.element(favourite).toHaveAttribute("aria-pressed", "true");
  await main.getByText("Move", { exact: true }).click();
  await main.getByRole("button", { name: "Folder: Work" }).click();
  await expect.element(page.getByText("Moved to “Work”.")).toBeVisible();
  await openActions();
  await main.getByText("Tags", { exact: true }).click();
  await main.getByRole("button", { name: "New tag…" }).click();
  await expect.element(dialog.getByLabelText("Name")).toHaveFocus();
  await userEvent.keyboard("Pink{Enter}");
  await expect.element(main.getByText("Tag: Pink").first()).toBeInTheDocument();
  await expect.poll(() => shownTexts()[0]).toBe("Good morning and welcome to the harbour. And more");
  await expect
    .poll(() => placed)
    .toEqual([
      { ids: ["talk"], favourite: true },
      { ids: ["talk"], folderId: "work" },
      { ids: ["talk"], addTags: ["made-1"] },
    ]);
  answer({ [`GET ${base}/filing`]: refusal(404, "notOffered") });
  await openPage("/dashboard");
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect.element(filed).not.toBeInTheDocument();
});
