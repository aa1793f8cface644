import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { TranscriptionSummary } from "#contract/index.ts";
import { filtersOf, selectIsNarrowed, selectSearchTerm } from "#machines/transcriptions/filters.ts";
import { matcher } from "#machines/transcriptions/rules.ts";
import { type Drives, json, type Person, textOf, unlike } from "#tests/browser/harness-paths.ts";
import { row } from "#tests/machines/harness.ts";
import { type FiltersRig, language, term } from "#tests/paths/transcriptions/filters.ts";
import app from "../../../public/locales/en/app.json" with { type: "json" };

// Somebody on the dashboard who searches and filters what is there.

const day = 24 * 3_600_000;

/** Each filter distinguishes them. Half a day after now is today's or later, also when the day ends during the test. */
function rowsAt(now: number): TranscriptionSummary[] {
  const at = (ms: number) => new Date(now + ms).toISOString();
  const failed = { status: "failed", error: { message: "no", code: "engineFailed" } } as const;
  return [
    row(6, { title: "tea at noon", sourceLanguage: language, date: at(day / 2) }),
    row(5, { title: "milk", sourceLanguage: language, status: "processing", date: at(-3 * day) }),
    row(4, { title: "green tea", sourceLanguage: "en-US", ...failed, date: at(-4 * day) }),
    row(3, { title: "teapot", sourceLanguage: "en-US", date: at(-20 * day) }),
    row(2, { title: "coffee", sourceLanguage: language, ...failed, date: at(-60 * day) }),
    row(1, { title: "old tea", sourceLanguage: language, status: "processing", date: at(-61 * day) }),
  ];
}

const snapshot = ({ actor }: FiltersRig) => actor.getSnapshot();

/** The list that whoever is signed in has. */
export async function scriptHistory(page: Page): Promise<readonly TranscriptionSummary[]> {
  const rows = rowsAt(Date.now());
  const history = "**/api/v1/audio-transcriptions";
  const pagination = { page: 1, limit: 20, total: rows.length, totalPages: 1 };
  await page.route(`${history}/transcription-history?*`, json({ data: rows, pagination }));
  // A link under the mouse is preloaded.
  await page.route(`${history}/transcription/*`, json({ ...rows[0], segments: [], fileName: null, engine: null }));
  // Nothing changes meanwhile: streams of updates are never answered.
  await page.route(/\/audio-transcriptions\/(.+\/)?events$/, () => {});
  return rows;
}

/** @param at where a path of the page is */
export async function createFiltersPerson(page: Page, at: (path: string) => string): Promise<Person<FiltersRig>> {
  const rows = await scriptHistory(page);
  return {
    drives: { ...searchDrives(page), ...choiceDrives(page), ...clearDrives(page) },
    begin: async () => {
      await page.goto(at("/robots.txt"));
      await page.goto(at("/dashboard"));
      await page.getByRole("searchbox").waitFor();
    },
    look: async (rig) => unlike({ ...(await fieldChecks(page, rig)), ...textChecks(rig, rows, await textOf(page)) }),
    wait: async () => {
      await setTimeout(20);
    },
  };
}

const found = (rig: FiltersRig, rows: readonly TranscriptionSummary[]) =>
  rows.filter(matcher(selectSearchTerm(snapshot(rig)), filtersOf(snapshot(rig)), Date.now()));

const fieldOf = (page: Page, label: string) => page.getByRole("search").getByLabel(label, { exact: true });

/** What stands in the search field, and what is selected. */
async function fieldChecks(page: Page, rig: FiltersRig): Promise<Record<string, boolean>> {
  const { language: code, status, dateRange } = filtersOf(snapshot(rig));
  const fields = [
    [page.getByRole("searchbox"), selectSearchTerm(snapshot(rig))],
    [fieldOf(page, app.history.language), code],
    [fieldOf(page, app.history.status), status],
    [fieldOf(page, app.history.date), dateRange],
  ] as const;
  const checks = fields.map(async ([field, wanted]) => {
    const value = await field.inputValue();
    return [`“${wanted}”, not “${value}”`, value === wanted] as const;
  });
  return Object.fromEntries(await Promise.all(checks));
}

/** What a person reads, and what not. */
function textChecks(rig: FiltersRig, rows: readonly TranscriptionSummary[], text: string): Record<string, boolean> {
  const fitting = found(rig, rows);
  const isNarrowed = selectIsNarrowed(snapshot(rig));
  const sentences: Record<string, boolean> = {
    [app.history.count_other.replace("{{count}}", String(rows.length))]: !isNarrowed,
    [`${fitting.length} of ${rows.length}`]: isNarrowed,
    [app.history.clear]: isNarrowed,
    [app.history.noneFound]: fitting.length === 0,
  };
  for (const item of rows) sentences[item.title] = fitting.includes(item);
  return Object.fromEntries(
    Object.entries(sentences).map(([sentence, wanted]) => [
      `“${sentence}” is ${wanted ? "missing" : "there"} in ${text.slice(0, 900)}`,
      text.includes(sentence) === wanted,
    ]),
  );
}

function searchDrives(page: Page): Drives<FiltersRig> {
  const type = (text: string) => ({
    may: (rig: FiltersRig) => selectSearchTerm(snapshot(rig)) !== text,
    happen: () => page.getByRole("searchbox").fill(text),
  });
  return { "a word is typed": type(term), "only spaces are left": type("  "), "the search is emptied": type("") };
}

/** Only another choice is one: who selects the same again changes nothing. */
function choiceDrives(page: Page): Drives<FiltersRig> {
  const select = (label: string, of: "language" | "status" | "dateRange", value: string) => ({
    may: (rig: FiltersRig) => filtersOf(snapshot(rig))[of] !== value,
    happen: async () => {
      await fieldOf(page, label).selectOption(value);
    },
  });
  const drives: Record<string, Drives<FiltersRig>[string]> = {
    "a language is chosen": select(app.history.language, "language", language),
    "any language will do": select(app.history.language, "language", "all"),
  };
  for (const status of ["all", "completed", "processing", "failed"])
    drives[`status: ${status}`] = select(app.history.status, "status", status);
  for (const dateRange of ["all", "today", "week", "month"])
    drives[`date: ${dateRange}`] = select(app.history.date, "dateRange", dateRange);
  return drives;
}

function clearDrives(page: Page): Drives<FiltersRig> {
  return {
    "filters.cleared": {
      may: (rig) => selectIsNarrowed(snapshot(rig)),
      happen: () => page.getByRole("button", { name: app.history.clear, exact: true }).press("Enter"),
    },
  };
}
