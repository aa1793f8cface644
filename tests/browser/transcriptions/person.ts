import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { FinalTranscription } from "#contract/index.ts";
import { selectHasMore, selectIsNarrowed } from "#machines/transcriptions/selectors.ts";
import {
  type Answer,
  type Drives,
  HeldCalls,
  json,
  noAnswer,
  type Person,
  refusal,
  textOf,
  unlike,
} from "#tests/browser/harness-paths.ts";
import { newest, second, type TranscriptionsRig, wantedStatus } from "#tests/paths/transcriptions/machine.ts";
import app from "../../../public/locales/en/app.json" with { type: "json" };
import english from "../../../public/locales/en/translation.json" with { type: "json" };

// Somebody on the dashboard whose list goes the machine's ways.

const history = "**/api/v1/audio-transcriptions";
const minute = 60_000;

const state = ({ actor }: TranscriptionsRig) => actor.getSnapshot().value;
const context = ({ actor }: TranscriptionsRig) => actor.getSnapshot().context;
const isNarrowed = ({ actor }: TranscriptionsRig) => selectIsNarrowed(actor.getSnapshot());
/** What the search (which all rows fit) and the filters leave. */
const found = (rig: TranscriptionsRig) => {
  const wanted = wantedStatus(rig);
  return context(rig).items.filter(({ status }) => wanted === "all" || status === wanted);
};
const isOpen = (rig: TranscriptionsRig) => state(rig) !== "waiting" && context(rig).selectedId === null;
const showsSecond = (rig: TranscriptionsRig) => isOpen(rig) && found(rig).some(({ id }) => id === second.id);
const showsMore = (rig: TranscriptionsRig) =>
  selectHasMore(rig.actor.getSnapshot()) && !isNarrowed(rig) && context(rig).items.length > 0;

/** The API, as the path wants it. */
async function createScript(page: Page) {
  const script = { pages: new HeldCalls(), updates: new HeldCalls(), changes: new HeldCalls(), saves: new HeldCalls() };
  await page.route(`${history}/transcription-history?*`, (route) => {
    // What the server finds besides is not this machine's: its own paths are walked in tests/paths/transcriptions/server-search.test.ts.
    const isSearch = new URL(route.request().url()).searchParams.has("search");
    const nothing = { data: [], pagination: { page: 1, limit: 50, total: 0, totalPages: 0 } };
    return isSearch ? json(nothing)(route) : script.pages.hold(route);
  });
  await page.route(`${history}/events`, (route) => script.updates.hold(route));
  await page.route(`${history}/save-final-transcription`, (route) => script.saves.hold(route));
  await page.route(`${history}/transcription/*`, refusal(404));
  await page.route("**/audio/remove-transcription/*", (route) => script.changes.hold(route));
  return script;
}
type Script = Awaited<ReturnType<typeof createScript>>;

/** @param at where a path of the page is @param userId of whoever is signed in */
export async function createTranscriptionsPerson(
  page: Page,
  at: (path: string) => string,
  userId: string,
): Promise<Person<TranscriptionsRig>> {
  const script = await createScript(page);
  const other = await page.context().newPage();
  await other.goto(at("/robots.txt"));
  await page.clock.install();
  const messages = page.getByRole("button", { name: english.toast.close, includeHidden: true });
  return {
    drives: { ...listDrives(page), ...rowDrives(page, script, () => keepUnsaved(other, userId)), ...serverDrives(page, script) },
    begin: async () => {
      await page.goto(at("/robots.txt"));
      await page.evaluate(() => {
        for (const key of ["transcriptions", "deletions"]) localStorage.removeItem(key);
      });
      for (const calls of Object.values(script)) calls.reset();
      await page.goto(at("/settings"));
    },
    look: async (rig, step) => {
      const path = new URL(page.url()).pathname;
      const wantedPath = pathOf(rig);
      const [text, list] = await Promise.all([textOf(page), sizeOfList(page)]);
      return unlike({
        [`${wantedPath}, not ${path}`]: path === wantedPath,
        [`${rig.fetchPage.times()} calls, not ${script.pages.made}`]: script.pages.made === rig.fetchPage.times(),
        ...(wantedPath === "/dashboard" ? { ...textChecks(rig, step, text), ...listChecks(rig, list) } : {}),
      });
    },
    tidyUp: async () => {
      for (const message of await messages.all()) await message.dispatchEvent("click");
      while ((await messages.count()) > 0) await page.clock.runFor(50);
      // Only the rows in view are drawn; the ones that are looked for are the newest.
      await page.evaluate(() => scrollTo(0, 0));
    },
    wait: async () => {
      // Only the rows in view are drawn; what is looked for may be the newest.
      await page.evaluate(() => scrollTo(0, 0));
      await setTimeout(20);
    },
  };
}

function pathOf(rig: TranscriptionsRig): string {
  if (state(rig) === "waiting") return "/settings";
  return context(rig).selectedId === null ? "/dashboard" : `/transcription/${context(rig).selectedId}`;
}

/** So many the list says that it has; how many it draws depends on the window. */
const sizeOfList = (page: Page): Promise<number> =>
  page.evaluate(() => Number(document.querySelector("li[aria-setsize]")?.getAttribute("aria-setsize") ?? 0));

function listChecks(rig: TranscriptionsRig, size: number): Record<string, boolean> {
  const wanted = found(rig).length;
  return { [`${wanted} rows, not ${size}`]: size === wanted };
}

/** What a person reads, and what not. @param shown as it is read: that there may be more is not the machine's to say */
function textChecks(rig: TranscriptionsRig, step: string, shown: string): Record<string, boolean> {
  const text = shown.replace(/(\d)\+ of /g, "$1 of ");
  const { items, pagination } = context(rig);
  const { total } = pagination;
  const now = state(rig);
  const fill = (sentence: string, values: Record<string, unknown>) =>
    sentence.replace(/\{\{(\w+)\}\}/g, (_, name) => String(values[name]));
  const counted = isNarrowed(rig)
    ? fill(app.history.found, { found: found(rig).length, total })
    : fill(total === 1 ? app.history.count_one : app.history.count_other, { count: total });
  const sentences: Record<string, boolean> = {
    [english.nav.dashboard]: true,
    [english.toast.fetchFailed]: now === "failed",
    [english.errors.network]: now === "failed" || step === "command.failed",
    [english.loading]: now === "loading" && items.length === 0,
    [counted]: total > 0,
    [fill(app.history.loadingRest, { loaded: items.length, total })]: now === "loadingRest",
    [app.history.more]: showsMore(rig),
    [app.history.clear]: isNarrowed(rig) && total > 0,
    [app.firstRun.title]: false,
    [newest.title]: found(rig).some(({ id }) => id === newest.id),
    [`“${second.title}” was moved to the trash`]: !rig.server.hasSecond,
    [english.toast.restored]: step === "it is brought back",
  };
  return Object.fromEntries(
    Object.entries(sentences).map(([sentence, wanted]) => [
      `“${sentence}” is ${wanted ? "missing" : "there"} in ${text.slice(0, 900)}`,
      text.includes(sentence) === wanted,
    ]),
  );
}

const press = (page: Page, role: "button" | "link", name: string) =>
  page.getByRole(role, { name, exact: true }).filter({ visible: true }).first().press("Enter");

/** Its address says no order, and no row is open. */
const isUsual = (rig: TranscriptionsRig) => context(rig).selectedId === null && context(rig).sort === "newest";

/** What somebody does with the list. */
function listDrives(page: Page): Drives<TranscriptionsRig> {
  const open = () => press(page, "link", english.nav.dashboard);
  const openOrRetry = async () => {
    // The link to the page on which one is loads it again.
    const hasFailed = (await page.getByText(english.toast.fetchFailed).count()) > 0;
    if (new URL(page.url()).pathname !== "/dashboard" || !hasFailed) return open();
    // The rows that failed have a button of the same name.
    await page
      .getByRole("alert")
      .or(page.locator("div"))
      .filter({ hasText: english.toast.fetchFailed })
      .getByRole("button", { name: app.history.retry })
      .first()
      .press("Enter");
  };
  return {
    "the dashboard is opened": { may: isUsual, happen: openOrRetry },
    "the dashboard is opened a minute later": {
      may: isUsual,
      happen: async () => {
        if (new URL(page.url()).pathname === "/dashboard") await press(page, "link", english.titles.settings);
        await page.getByRole("heading", { name: english.titles.settings, level: 1 }).waitFor();
        await page.clock.fastForward(minute);
        await open();
      },
    },
    "more.requested": {
      may: (rig) => isOpen(rig) && showsMore(rig),
      happen: () => press(page, "button", app.history.more),
    },
    "all.requested": {
      may: (rig) => isOpen(rig) && showsMore(rig) && state(rig) === "settled",
      happen: async (rig) => {
        const box = page.getByRole("list", { name: "Transcripts" }).getByRole("checkbox").first();
        if (!(await box.isChecked())) await box.press("Space");
        await press(page, "button", app.selection.all.replace("{{number}}", String(context(rig).pagination.total)));
      },
    },
    "by title": {
      may: isOpen,
      happen: async () => {
        await page.getByLabel(app.history.sort, { exact: true }).selectOption("title");
      },
    },
    "search.changed": { may: isOpen, happen: () => page.getByRole("searchbox").fill("title") },
    "status.changed": {
      may: isOpen,
      happen: async () => {
        await page.getByLabel(app.history.status, { exact: true }).selectOption("completed");
      },
    },
    "filters.cleared": {
      may: (rig) => isOpen(rig) && isNarrowed(rig) && context(rig).pagination.total > 0,
      happen: () => press(page, "button", app.history.clear),
    },
  };
}

/** What somebody does with one row. @param keep puts something into the browser's list of what could not be saved */
function rowDrives(page: Page, { changes }: Script, keep: () => Promise<void>): Drives<TranscriptionsRig> {
  const row = page.getByRole("listitem").filter({ hasText: second.title });
  const undoUntil = new Date(Date.now() + 10 * minute).toISOString();
  return {
    "selection.changed": { may: showsSecond, happen: () => row.getByRole("link").press("Enter") },
    "retry.requested": { may: showsSecond, happen: () => row.getByRole("button", { name: app.transcript.retry }).press("Enter") },
    "unsavedRetry.requested": {
      may: isOpen,
      happen: async () => {
        await keep();
        await press(page, "button", app.speech.unsavedRetry);
      },
    },
    "one is deleted": {
      may: showsSecond,
      happen: async () => {
        await row.getByRole("button", { name: app.history.delete.replace("{{title}}", second.title) }).press("Enter");
        // What is selected has a button of the same name.
        await page.getByRole("dialog").getByRole("button", { name: app.delete.confirm }).press("Enter");
        await changes.answer(json({ id: second.id, purgeAt: undoUntil }));
      },
    },
    "it is brought back": {
      may: isOpen,
      happen: async () => {
        await press(page, "button", app.history.undo);
        await changes.answer(json({ ...second, segments: [], fileName: null, engine: null }));
      },
    },
  };
}

/** What the server says. */
function serverDrives(page: Page, { pages, updates, changes, saves }: Script): Drives<TranscriptionsRig> {
  return {
    "another one is made": {
      may: isOpen,
      happen: async () => {
        const body = `event: transcription\nid: 1\ndata: ${JSON.stringify({ transcription: newest })}\n\n`;
        await updates.answer((route) => route.fulfill({ contentType: "text/event-stream", body }));
        // The stream has ended with it, and is opened again at once.
        await page.evaluate(() => void dispatchEvent(new Event("online")));
      },
    },
    "command.failed": {
      may: (rig) => isOpen(rig) && rig.failures < rig.commands.heard.length,
      happen: (rig) => (rig.commands.heard[rig.failures - 1]?.type === "save.requested" ? saves : changes).answer(noAnswer),
    },
    "the page comes": { happen: (rig) => pages.answer(pageAnswer(rig)) },
    "the page can't be had": { happen: () => pages.answer(noAnswer) },
  };
}

/** Answers the page as the machine's actor was answered, when it asks for the same. */
function pageAnswer(rig: TranscriptionsRig): Answer {
  const last = rig.said.at(-1);
  if (last === undefined) throw new Error("The machine was sent nothing.");
  return (route) => {
    const { searchParams } = new URL(route.request().url());
    const asked = { page: Number(searchParams.get("page")), limit: Number(searchParams.get("limit")) };
    const isInOrder = (searchParams.get("sort") ?? "newest") === last.request.sort;
    const isSame = asked.page === last.request.page && asked.limit === last.request.limit && isInOrder;
    const { data, pagination } = last.answer;
    return (isSame ? json({ data, pagination }) : refusal(400))(route);
  };
}

/** Another tab could not save it. */
function keepUnsaved(other: Page, ownerId: string): Promise<void> {
  const transcription: FinalTranscription = {
    clientId: randomUUID(),
    title: "spoken",
    text: "spoken",
    translatedText: "",
    segments: [],
    sourceLanguage: "en",
    targetLanguage: null,
    date: new Date().toISOString(),
  };
  return other.evaluate((kept) => localStorage.setItem("transcriptions", kept), JSON.stringify([{ ownerId, transcription }]));
}
