import { expect, test } from "vitest";
import type { HistoryAnswer, TranscriptionSummary } from "#contract/index.ts";
import { answer, holdAnswer, openPage, openStream, page, refusal, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { transcriptionOf } from "#tests/components/harness-transcripts.ts";

const base = "/api/v1/audio-transcriptions";
const listing = `GET ${base}/transcription-history`;
const rows = page.getByRole("list", { name: "Transcripts" }).getByRole("listitem");
const titles = () => rows.elements().map((row) => row.querySelector("a span")?.textContent ?? "");
const heading = page.getByRole("heading", { level: 1 });

/** Deletes a transcript with its row's menu. */
async function deleteFromMenu(at: number): Promise<void> {
  await rows
    .nth(at)
    .getByLabelText(/^Actions for/)
    .click();
  await rows.nth(at).getByRole("button", { name: "Delete", exact: true }).click();
}

const rowOf = (number: number, parts: Partial<TranscriptionSummary> = {}): TranscriptionSummary => ({
  ...transcriptionOf({ segments: [], text: `It is number ${number}.` }),
  id: `no-${number}`,
  title: `number ${number}`,
  date: new Date(Date.UTC(2026, 2, 1) - number * 60_000).toISOString(),
  ...parts,
});
const rowsTo = (count: number) => Array.from({ length: count }, (_, at) => rowOf(at + 1));

/**
 * A server with this history.
 * @returns the queries of its requests, and a function that sends a change
 */
function keepHistory(all: readonly TranscriptionSummary[]) {
  const asked: string[] = [];
  let stream = openStream();
  answer({
    [listing]: ({ request }): HistoryAnswer => {
      const query = new URL(request.url).searchParams;
      asked.push(new URL(request.url).search);
      const [limit, from] = [Number(query.get("limit")), Number(query.get("after") ?? 0)];
      const search = query.get("search") ?? "";
      const found = all.filter(({ text }) => text.includes(search));
      const data = found.slice(from, from + limit);
      const next = from + limit < found.length ? String(from + limit) : null;
      return { data, next, pagination: { page: 1, limit, total: found.length, totalPages: Math.ceil(found.length / limit) } };
    },
    // Hovering over a link loads its page.
    [`GET ${base}/transcription/:id`]: refusal(404, "notFound"),
    [`GET ${base}/events`]: () => {
      stream = openStream();
      return stream.response;
    },
  });
  return { asked, tell: (transcription: TranscriptionSummary) => stream.send("transcription", { transcription }) };
}

test("shows that the history is loading, why it failed, and loads it on retry", async () => {
  const held = holdAnswer();
  answer({ [listing]: held.answer });
  await openPage("/dashboard");
  await expect.element(page.getByText("Loading", { exact: false }).first()).toBeVisible();
  held.give(refusal(500, "internal"));
  await expect.element(page.getByRole("alert").first()).toBeVisible();
  keepHistory([rowOf(1)]);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(titles).toEqual(["number 1"]);
  await expect.element(page.getByText("1 transcript", { exact: true })).toBeVisible();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});

test("loads more transcripts by the cursor, and retries a page that failed", async () => {
  const { asked } = keepHistory(rowsTo(45));
  await openPage("/dashboard");
  const more = page.getByRole("button", { name: "Show more" });
  await expect.element(page.getByText("45 transcripts")).toBeVisible();
  answer({ [listing]: refusal(503, "unavailable") });
  await more.click();
  await expect.element(page.getByRole("alert").first()).toBeVisible();
  const again = keepHistory(rowsTo(45));
  await more.click();
  await expect.poll(() => again.asked.length).toBe(1);
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  await more.click();
  await expect.element(more).not.toBeInTheDocument();
  expect([asked[0], again.asked.map((query) => new URLSearchParams(query).get("after"))]).toEqual([
    "?page=1&limit=20",
    ["20", "40"],
  ]);
});

test("searches all transcripts, counts and marks the matches, and clears the search", async () => {
  keepHistory([rowOf(1, { text: "We drink tea." }), rowOf(2), rowOf(3, { translatedText: "Wir trinken Tea." })]);
  await openPage("/dashboard");
  const search = page.getByRole("searchbox");
  await search.fill("  TEA ");
  await expect.element(page.getByText("2 of 3")).toBeVisible();
  await expect.poll(titles).toEqual(["number 1", "number 3"]);
  expect([...document.querySelectorAll("li[data-row] mark")].map((mark) => mark.textContent.toLowerCase())).toEqual([
    "tea",
    "tea",
  ]);
  await search.fill("nothing like it");
  await expect.element(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await expect.element(search).toHaveValue("");
  await expect.poll(titles).toEqual(["number 1", "number 2", "number 3"]);
});

/** Chooses an option in the filter panel, which stays open. */
async function choose(label: string, option: string) {
  const button = page.getByRole("main").getByText(/^Filter/);
  await expect.element(button).toBeVisible();
  if (button.element().closest("details")?.open === false) await button.click();
  await page.getByRole("main").getByLabelText(label, { exact: true }).selectOptions(option);
}

// SPEC 4 Transcriptions: "Status filter: completed, processing, failed, all."
test("filters the history by language, date and status, and removes the filters one by one", async () => {
  const now = new Date().toISOString();
  keepHistory([
    rowOf(1, { date: now, sourceLanguage: "de-DE" }),
    rowOf(2, { status: "failed", error: { code: "engineFailed", message: "" } }),
    rowOf(3, { status: "processing", progress: { stage: "recognizing", fraction: 0.25, secondsLeft: null } }),
    rowOf(4),
  ]);
  await openPage("/dashboard");
  await expect.poll(titles).toHaveLength(4);
  for (const [name, found] of [
    ["failed", ["number 2"]],
    ["processing", ["number 3"]],
    ["completed", ["number 1", "number 4"]],
  ] as const) {
    await choose("Status", name);
    await expect.poll(titles).toEqual(found);
  }
  await choose("Date", "today");
  await expect.poll(titles).toEqual(["number 1"]);
  await expect.poll(() => location.search).toBe("?status=completed&dateRange=today");
  const chips = page.getByRole("list", { name: "Active filters" }).getByRole("button");
  await expect.poll(() => textsOf(chips)).toEqual(["Today", "Done"]);
  await page.getByRole("button", { name: "Remove Today" }).click();
  await expect.element(page.getByRole("button", { name: "Remove Done" })).toHaveFocus();
  await expect.poll(titles).toEqual(["number 1", "number 4"]);
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await expect.element(page.getByRole("searchbox")).toHaveFocus();
  await expect.poll(() => location.search).toBe("");
  await choose("Language", "de-DE");
  await expect.poll(titles).toEqual(["number 1"]);
  await expect.element(page.getByText("1 of 4")).toBeVisible();
});

test("shows a transcript's facts, progress and error in its row, and updates it with the server's events", async () => {
  const failed = rowOf(2, {
    status: "failed",
    error: { code: "engineFailed", message: "" },
    durationSeconds: 61,
    origin: "dictation",
  });
  const { tell } = keepHistory([
    rowOf(1, { status: "processing", progress: { stage: "recognizing", fraction: 0.25, secondsLeft: null } }),
    failed,
  ]);
  await openPage("/dashboard");
  await expect.element(rows.first().getByRole("progressbar")).toHaveAttribute("aria-valuenow", "25");
  await expect.poll(() => textsOf(rows)[1]).toMatch(/number 2.*couldn’t process this audio.*1:01.*Dictated.*English/);
  answer({ "PUT /audio/remove-transcription/:id": { ...failed, status: "pending", error: null, segments: [] } });
  await rows.nth(1).getByRole("button", { name: "Try again" }).click();
  await expect.element(rows.nth(1).getByRole("link").first()).toHaveFocus();
  await expect.element(rows.nth(1).getByRole("button", { name: "Try again" })).not.toBeInTheDocument();
  tell(rowOf(1, { text: "It is done." }));
  await expect.element(rows.first().getByText("It is done.")).toBeVisible();
  tell(rowOf(0));
  await expect.poll(titles).toEqual(["number 0", "number 1", "number 2"]);
});

test("keeps a failed transcript's row when the retry fails, and says why", async () => {
  keepHistory([rowOf(1, { status: "failed", error: { code: "engineFailed", message: "" } })]);
  answer({ "PUT /audio/remove-transcription/:id": refusal(503, "engineUnavailable") });
  await openPage("/dashboard");
  await rows.first().getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByRole("alert").first()).toBeVisible();
  await expect.element(rows.first().getByRole("button", { name: "Try again" })).toBeVisible();
});

test("deletes a transcript from its row's menu, names it in a toast, and restores it with Undo", async () => {
  keepHistory([rowOf(1), rowOf(2, { title: "", text: "", origin: "dictation", date: "2026-02-28T23:58:00.000Z" }), rowOf(3)]);
  const sent: string[] = [];
  answer({
    "DELETE /audio/remove-transcription/:id": ({ params }) => {
      sent.push(String(params.id));
      return { id: "no-2", purgeAt: "2100-01-01T00:00:00.000Z" };
    },
    "PUT /audio/remove-transcription/:id": async ({ request }) => {
      sent.push(JSON.stringify(await request.json()));
      return { ...rowOf(2), segments: [] };
    },
  });
  await openPage("/dashboard");
  await expect.poll(() => titles()[1]).toBe("Dictated");
  await expect.element(rows.nth(1).getByLabelText("Actions for Dictated, 1 Mar 2026, 00:58", { exact: true })).toBeVisible();
  await deleteFromMenu(1);
  await expect.poll(titles).toEqual(["number 1", "number 3"]);
  // The row that is now in its place.
  await expect.element(rows.nth(1).getByRole("link").first()).toHaveFocus();
  await expect.element(page.getByRole("status").getByText("“Dictated, 1 Mar 2026, 00:58” was moved to the trash.")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(titles).toEqual(["number 1", "number 2", "number 3"]);
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
  await expect.element(page.getByText("was moved to the trash", { exact: false })).not.toBeInTheDocument();
  expect(sent).toEqual(["no-2", '{"deletedAt":null}']);
});

test("keeps a transcript deleted when its toast is closed, and focuses the previous row", async () => {
  keepHistory([rowOf(1), rowOf(2)]);
  answer({ "DELETE /audio/remove-transcription/:id": { purgeAt: new Date(Date.now() + 600_000).toISOString() } });
  await openPage("/dashboard");
  await deleteFromMenu(1);
  await expect.element(rows.first().getByRole("link").first()).toHaveFocus();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await expect.element(page.getByText("“number 2” was moved to the trash.")).not.toBeInTheDocument();
  expect(titles()).toEqual(["number 1"]);
  await deleteFromMenu(0);
  await expect.element(heading).toHaveFocus();
});

test("restores the row of a transcript that could not be deleted, and says so", async () => {
  keepHistory([rowOf(1), rowOf(2)]);
  answer({ "DELETE /audio/remove-transcription/:id": refusal(500, "internal") });
  await openPage("/dashboard");
  await deleteFromMenu(0);
  await expect.element(page.getByRole("alert").getByText("Failed to delete transcription")).toBeVisible();
  await expect.poll(titles).toEqual(["number 1", "number 2"]);
});

test("says that an undo failed, and offers it again", async () => {
  keepHistory([rowOf(1), rowOf(2)]);
  answer({
    "DELETE /audio/remove-transcription/:id": { id: "no-1", purgeAt: "2100-01-01T00:00:00.000Z" },
    "PUT /audio/remove-transcription/:id": refusal(503, "unavailable"),
  });
  await openPage("/dashboard");
  await deleteFromMenu(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.element(page.getByRole("alert").first()).toBeVisible();
  answer({ "PUT /audio/remove-transcription/:id": { ...rowOf(1), segments: [] } });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(titles).toEqual(["number 1", "number 2"]);
});

test("keeps each row within 72 px under its day's heading, and gives each row a unique name", async () => {
  const today = new Date();
  const at = (days: number) => new Date(today.getFullYear(), today.getMonth(), today.getDate() - days, 12, 30).toISOString();
  const unnamed = {
    title: "",
    text: "Um, the harbour is old, and it has seen many ships come and go in all its years. ".repeat(9),
  };
  keepHistory([
    rowOf(1, { ...unnamed, date: at(0) }),
    rowOf(2, { ...unnamed, date: at(0) }),
    rowOf(3, { ...unnamed, date: at(1), targetLanguage: "de", translatedText: "Der Hafen ist alt.", durationSeconds: 3600 }),
    rowOf(4, { title: "long ".repeat(40), status: "failed", error: { code: "engineFailed", message: "" }, date: at(400) }),
    rowOf(5, { status: "processing", progress: { stage: "recognizing", fraction: 0.25, secondsLeft: 60 }, date: at(401) }),
  ]);
  for (const width of [1280, 390]) {
    await page.viewport(width, 844);
    await openPage("/dashboard");
    await expect.poll(() => rows.elements().length).toBe(5);
    const tall = rows.elements().map((row) => row.getBoundingClientRect().height);
    expect(Math.max(...tall)).toBeLessThanOrEqual(72);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  }
  await page.viewport(1280, 800);
  const days = page
    .getByRole("heading", { level: 2 })
    .elements()
    .map(({ textContent }) => textContent);
  expect(days.slice(0, 3)).toEqual(["Folders and tags", "Today", "Yesterday"]);
  const called = rows.elements().map((row) => row.querySelector("a")?.textContent);
  expect(called[0]).toMatch(/^The harbour is old.*12:30$/);
  expect(new Set(called).size).toBe(5);
});

test("sorts a fully loaded history without another request, and keeps the order in the address", async () => {
  const { asked } = keepHistory([
    rowOf(1, { durationSeconds: 5, title: "beta" }),
    rowOf(2, { durationSeconds: 9, title: "Alpha" }),
  ]);
  await openPage("/dashboard");
  for (const [sort, found] of [
    ["oldest", ["Alpha", "beta"]],
    ["title", ["Alpha", "beta"]],
    ["longest", ["Alpha", "beta"]],
  ] as const) {
    await choose("Sort by", sort);
    await expect.poll(() => location.search).toBe(`?sort=${sort}`);
    await expect.poll(titles).toEqual(found);
  }
  await choose("Sort by", "newest");
  await expect.poll(() => location.search).toBe("");
  await expect.poll(titles).toEqual(["beta", "Alpha"]);
  expect(asked).toEqual(["?page=1&limit=20"]);
});

test("selects rows with mouse and keys or all at once, and deletes them together", async () => {
  keepHistory(rowsTo(23));
  const sent: unknown[] = [];
  answer({
    [`POST ${base}/trash`]: async ({ request }) => {
      const { ids } = await request.json();
      sent.push(ids);
      return { done: ids, failed: [], purgeAt: "2100-01-01T00:00:00.000Z" };
    },
  });
  await openPage("/dashboard");
  const bar = page.getByRole("region", { name: "Selected transcripts" });
  await expect.element(rows.nth(1)).toBeVisible();
  rows.nth(1).getByRole("link").first().element().focus();
  await userEvent.keyboard(" {Shift>}{ArrowDown}{ArrowDown}{/Shift}");
  await expect.element(bar.getByText("3 selected")).toBeVisible();
  await expect.element(rows.nth(3).getByRole("link").first()).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(bar).not.toBeInTheDocument();
  await rows.first().getByRole("checkbox").click();
  await bar.getByRole("button", { name: "Select all 23" }).click();
  await expect.element(bar.getByText("23 selected")).toBeVisible();
  await page.getByRole("searchbox").fill("number 1");
  await expect.element(bar.getByText("11 selected")).toBeVisible();
  await bar.getByRole("button", { name: "Delete" }).click();
  await expect.element(page.getByText("0 of 12")).toBeVisible();
  await expect.element(page.getByText("11 transcripts were moved to the trash.")).toBeVisible();
  expect(sent).toEqual([["no-1", ...Array.from({ length: 10 }, (_, at) => `no-${at + 10}`)]]);
});

test("says how many of the selected transcripts could not be deleted, and restores their rows", async () => {
  keepHistory(rowsTo(3));
  answer({ [`POST ${base}/trash`]: refusal(500, "internal") });
  await openPage("/dashboard");
  await rows.first().getByRole("checkbox").click();
  await rows
    .nth(2)
    .getByRole("checkbox")
    .click({ modifiers: ["Shift"] });
  await page.getByRole("region", { name: "Selected transcripts" }).getByRole("button", { name: "Delete" }).click();
  await expect.element(page.getByText("Couldn’t delete 3 of the transcripts.")).toBeVisible();
  await expect.poll(titles).toEqual(["number 1", "number 2", "number 3"]);
});

test("requests another order from the server when the history is only partly loaded", async () => {
  const { asked } = keepHistory(rowsTo(45));
  await openPage("/dashboard");
  await expect.element(page.getByText("45 transcripts")).toBeVisible();
  await choose("Sort by", "oldest");
  await expect.poll(() => asked.at(-1)).toBe("?page=1&limit=20&sort=oldest");
  await page.getByRole("button", { name: "Show more" }).click();
  await expect.poll(() => asked.at(-1)).toBe("?page=2&limit=20&sort=oldest&after=20");
  await page.getByRole("button", { name: "Show more" }).click();
  await expect.element(page.getByRole("button", { name: "Show more" })).not.toBeInTheDocument();
});
