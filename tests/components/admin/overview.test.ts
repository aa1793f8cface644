import { expect, test } from "vitest";
import type { AdminMetrics } from "#contract/index.ts";
import { answer, holdAnswer, openPage, page, refusal } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { numbers } from "#tests/machines/admin/harness.ts";

const speech = { kind: "speech", name: "Moonshine", available: true, wanted: true, detail: null } as const;
const other = { ...speech, name: "Whisper" };
const translation = { kind: "translation", name: "Apertium", available: true, wanted: true, detail: null } as const;
const chat = { kind: "chat", name: "LLM", available: false, wanted: false, detail: null } as const;

/** The metrics of a working server with some activity. */
const busy: AdminMetrics = {
  ...numbers(1_234),
  version: "1.2.3",
  uptimeSeconds: 172_800,
  days: ["2026-02-28", "2026-03-01"],
  engines: [speech, other, translation, chat],
  users: {
    total: 1_234,
    confirmed: 1_200,
    premium: 34,
    newPerDay: [2, null],
    totalPerDay: [1_232, 1_234],
    premiumPerDay: [33, 34],
  },
  minutes: { thisMonth: 45.67, perDay: [1.25, 3] },
  signIns: { today: 56, perDay: [12, 56] },
  jobs: { waiting: 3, running: 2, failed: 7, failedLately: 1 },
  messages: { open: 4, waitlist: 5 },
  storage: {
    database: 1_000_000,
    audio: 2_000_000_000,
    vault: 3_000_000,
    other: 4_000_000,
    free: 60_000_000_000,
    size: 100_000_000_000,
    measuredAt: "2026-03-01T11:30:00.000Z",
    usedPerDay: [1_500_000_000, null],
  },
  mails: { server: true, waiting: 6, stuck: 0 },
};

async function open(metrics: AdminMetrics, search = ""): Promise<string[]> {
  const asked: string[] = [];
  answer({
    "GET /admin/metrics": ({ request }) => {
      asked.push(new URL(request.url).search);
      return metrics;
    },
  });
  await openPage(`/admin${search}`, { as: "superuser" });
  await expect.element(page.getByRole("button", { name: "Refresh" })).toBeVisible();
  return asked;
}

const cards = () => textsOf(page.getByRole("definition")).filter((_, index) => index < 18);
const attention = page.getByText("Needs attention", { exact: true });
const concerns = () => [...document.querySelectorAll("main strong + ul > li")].map((one) => one.textContent);

test("shows the server's numbers and how each is made up", async () => {
  const asked = await open(busy);
  await expect.element(page.getByText("As of 13:00")).toBeVisible();
  expect(cards()).toEqual([
    ...["1,234", "1,200 confirmed, 2 new in the period below"],
    ...["34", "Paid, on trial or granted"],
    ...["45.7", "Of recognized audio"],
    ...["56", "Since midnight (UTC)"],
    ...["5", "3 waiting, 2 running, 7 failed"],
    ...["6", "0 after a failed attempt"],
    ...["9", "4 open, 5 on the waitlist"],
    ...["2 GB", "Database 1 MB, audio 2 GB, vaults 3 MB"],
    ...["60 GB", "Of 100 GB"],
  ]);
  await expect
    .element(page.getByText("Parlance 1.2.3, running for 2 days. Storage was measured on 1 Mar 2026, 12:30."))
    .toBeVisible();
  expect(asked).toEqual(["?days=30"]);
});

test("shows the charts' numbers as tables, with a dash for unknown values", async () => {
  await open(busy);
  await expect.element(page.getByText("Show as a table").first()).toBeVisible();
  for (const summary of page.getByText("Show as a table").all()) await summary.click();
  const table = (name: string) => textsOf(page.getByRole("table", { name }).getByRole("row"));
  expect(table("New users per day")).toEqual(["Day New users per day", "28 February 2026 2", "1 March 2026 –"]);
  expect(table("Minutes recognized per day").slice(1)).toEqual(["28 February 2026 1.3", "1 March 2026 3"]);
  expect(table("Sign-ins per day").slice(1)).toEqual(["28 February 2026 12", "1 March 2026 56"]);
  expect(table("Users and premium")).toEqual(["Day Users Premium", "28 February 2026 1,232 33", "1 March 2026 1,234 34"]);
  expect(table("Storage used").slice(1)).toEqual(["28 February 2026 1.5 GB", "1 March 2026 –"]);
  await expect.element(page.getByRole("img", { name: "New users per day" })).toBeVisible();
});

test("shows storage in megabytes below one gigabyte", async () => {
  await open({ ...busy, storage: { ...busy.storage, usedPerDay: [999_000_000, 999_900_000] } });
  await page.getByText("Show as a table").last().click();
  const rows = () => textsOf(page.getByRole("table", { name: "Storage used" }).getByRole("row"));
  await expect.poll(rows).toEqual(["Day Storage used", "28 February 2026 999 MB", "1 March 2026 999.9 MB"]);
});

test("shows the server's uptime in the largest unit that fits", async () => {
  for (const [uptimeSeconds, said] of [
    [1, "1 minute"],
    [7_199, "119 minutes"],
    [7_200, "2 hours"],
    [172_799, "47 hours"],
    [200_000, "2 days"],
  ] as const) {
    await open({ ...busy, uptimeSeconds }, `?days=${uptimeSeconds}`);
    answer({ "GET /admin/metrics": { ...busy, uptimeSeconds } });
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect.element(page.getByText(`running for ${said}.`)).toBeVisible();
  }
});

test("lists the missing set-up steps, the speech model first, until all are done", async () => {
  const mails = { ...busy.mails, server: false };
  await open({ ...busy, mails, engines: [speech, { ...other, available: false, wanted: false }, translation] });
  const links = page
    .getByRole("list")
    .filter({ hasText: "Parlance currently recognizes English with a small model" })
    .getByRole("link");
  const addresses = () => links.elements().map((link) => link.getAttribute("href"));
  await expect.poll(addresses).toEqual(["/admin/models", "/admin/blog/generator"]);
  await expect.element(page.getByText("SMTP_URL")).toBeVisible();
  answer({
    "GET /admin/metrics": { ...busy, mails: { ...mails, server: true }, engines: [speech, other, { ...chat, available: true }] },
  });
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect.element(page.getByText("Set up", { exact: true })).not.toBeInTheDocument();
});

test("says that nothing needs attention when everything works", async () => {
  await open({
    ...busy,
    failures: [{ code: "notAudio", count: 3, lastAt: busy.at }],
    mails: { server: false, waiting: 1, stuck: 1 },
  });
  await expect.element(page.getByText("Nothing needs attention.")).toBeVisible();
  await expect.element(attention).not.toBeInTheDocument();
  await expect.element(page.getByText("No mail server is set up: e-mails stay on this server")).toBeVisible();
});

test("lists what needs attention: server failures, engines, the disk, mails", async () => {
  await open({
    ...busy,
    engines: [
      { ...speech, available: false, detail: "Its file is missing." },
      { ...translation, available: false, wanted: false },
      { ...chat, wanted: true },
    ],
    failures: [
      { code: "engineFailed", count: 1_000, lastAt: busy.at },
      { code: "storageFull", count: 2, lastAt: busy.at },
      { code: "notAudio", count: 5, lastAt: busy.at },
    ],
    storage: { ...busy.storage, free: 1_999_999_999, size: 10_000_000_000 },
    mails: { server: true, waiting: 6, stuck: 5 },
  });
  await expect.element(attention).toBeVisible();
  expect(concerns()).toEqual([
    "Transcriptions that failed because of the server in the last seven days: 1,002. Show jobs",
    "Moonshine is not working. Its file is missing.",
    "LLM is not working. ",
    "No speech engine is working: nothing can be transcribed.",
    "No translation engine is working: nothing can be translated.",
    "The disk is nearly full: 2 GB (20%) free.",
    "E-mails that couldn’t be sent yet: 5.",
  ]);
  await page.getByRole("link", { name: "Show jobs" }).hover();
  await expect.element(page.getByRole("link", { name: "Show jobs" })).toHaveAttribute("href", "/admin?section=jobs");
});

test("warns of a full disk below ten percent or two gigabytes of free space", async () => {
  const storage = (free: number, size: number) => ({ ...busy, storage: { ...busy.storage, free, size } });
  await open(storage(9_990_000_000, 100_000_000_000));
  await expect.poll(concerns).toEqual(["The disk is nearly full: 10 GB (10%) free."]);
  answer({ "GET /admin/metrics": storage(2_000_000_000, 20_000_000_000) });
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect.element(page.getByText("Nothing needs attention.")).toBeVisible();
});

test("lists engines with their state, and the reasons of failed transcriptions", async () => {
  await open({
    ...busy,
    engines: [
      speech,
      { ...translation, available: false, detail: "apertium: not found" },
      chat,
      { ...chat, kind: "aloud", name: "Piper" },
    ],
    failures: [
      { code: "engineFailed", count: 1_000, lastAt: busy.at },
      { code: "noSpeech", count: 1, lastAt: busy.at },
    ],
  });
  const rows = (name: string) => textsOf(page.getByRole("region", { name }).getByRole("row"));
  await expect.element(page.getByRole("link", { name: "Install and remove models" })).toHaveAttribute("href", "/admin/models");
  expect(rows("Engines")).toEqual([
    "Name For State",
    "Moonshine Speech recognition Working",
    "Apertium Translation Not working apertium: not found",
    "LLM Writing posts Not set up",
    "Piper Reading aloud Not set up",
  ]);
  expect(rows("Why transcriptions failed")).toEqual([
    "Reason Count Last time",
    "The speech engine couldn’t process this audio. Your audio is safe. Try again. 1,000 1 Mar 2026, 13:00",
    "No speech detected. Check that you used the right microphone or file and that it is loud enough. The user can fix it 1 1 Mar 2026, 13:00",
  ]);
  const tones = [...document.querySelectorAll("main tbody [data-tone], main tbody td:last-child > span")].map((one) =>
    one.getAttribute("data-tone"),
  );
  expect(tones).toEqual(["good", "danger", null, null]);
});

test("shows no table of failures when no transcription failed", async () => {
  await open(busy);
  await expect.element(page.getByRole("region", { name: "Engines" })).toBeVisible();
  await expect.element(page.getByRole("region", { name: "Why transcriptions failed" })).not.toBeInTheDocument();
});

test("loads another period of the charts, and keeps the period in the address", async () => {
  const asked = await open(busy);
  const spans = page.getByRole("navigation", { name: "Chart period" });
  await expect.poll(() => textsOf(spans.getByRole("link"))).toEqual(["7 days", "30 days", "90 days", "365 days"]);
  await expect.element(spans.getByRole("link", { name: "30 days" })).toHaveAttribute("data-chosen", "true");
  await spans.getByRole("link", { name: "7 days" }).click();
  await expect.poll(() => location.search).toBe("?section=overview&days=7");
  await expect.element(spans.getByRole("link", { name: "7 days" })).toHaveAttribute("data-chosen", "true");
  await expect.element(spans.getByRole("link", { name: "30 days" })).not.toHaveAttribute("data-chosen");
  expect(asked).toEqual(["?days=30", "?days=7"]);
});

test("falls back to thirty days and to the overview when the address is invalid", async () => {
  expect(await open(busy, "?section=nothing&days=8")).toEqual(["?days=30"]);
  await expect.element(page.getByRole("heading", { name: "Overview" })).toBeVisible();
});

test("marks the current section, and links back to the dashboard", async () => {
  await open(busy);
  const nav = page.getByRole("navigation", { name: "Sections" });
  expect(textsOf(nav.getByRole("link"))).toEqual(["Overview", "Models", "Users", "Inboxes", "Jobs", "Backups", "Audit log"]);
  const marked = () =>
    textsOf(nav.getByRole("link")).filter((_, at) => nav.getByRole("link").nth(at).element().ariaCurrent === "page");
  expect(marked()).toEqual(["Overview"]);
  await expect.element(page.getByRole("main").getByRole("link", { name: "Dashboard" })).toHaveAttribute("href", "/dashboard");
  answer({ "GET /admin/audit": { entries: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } } });
  await nav.getByRole("link", { name: "Audit log" }).click();
  await expect.poll(marked).toEqual(["Audit log"]);
  // The heading gets the focus only when one section replaces another.
  await expect.element(page.getByRole("heading", { name: "Audit log" })).toBeVisible();
});

test("scrolls the open section's tab into view on a phone", async () => {
  await page.viewport(390, 844);
  answer({ "GET /admin/audit": { entries: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } } });
  await openPage("/admin?section=log", { as: "superuser" });
  const entry = page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Audit log" });
  await expect.element(entry).toBeInViewport({ ratio: 0.99 });
  await page.viewport(1280, 800);
});

test("keeps the administration's header and tabs in place across sections and while scrolling", async () => {
  answer({
    "GET /admin/metrics": busy,
    "GET /admin/audit": { entries: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } },
    "GET /admin/models": refusal(500, "internal"),
  });
  await openPage("/admin", { as: "superuser" });
  const tabs = page.getByRole("navigation", { name: "Sections" });
  await expect.element(page.getByText("Sign-ins today")).toBeVisible();
  const before = tabs.element();
  const { top } = before.getBoundingClientRect();
  window.scrollTo(0, 500);
  await expect.poll(() => window.scrollY).toBeGreaterThan(300);
  expect(before.getBoundingClientRect().top).toBe(top);
  await tabs.getByRole("link", { name: "Audit log" }).click();
  await expect.element(page.getByRole("heading", { name: "Audit log" })).toBeVisible();
  await tabs.getByRole("link", { name: "Models" }).click();
  await expect.element(page.getByRole("heading", { level: 1, name: "Models" })).toHaveFocus();
  expect(tabs.element()).toBe(before);
  expect(before.getBoundingClientRect().top).toBe(top);
});

test("says that the numbers can't be fetched, and fetches them on retry", async () => {
  const slow = holdAnswer();
  answer({ "GET /admin/metrics": slow.answer });
  await openPage("/admin", { as: "superuser" });
  await expect.element(page.getByRole("status").getByText("Loading…")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Refresh" })).toHaveAttribute("aria-busy", "true");
  slow.give(refusal(500, "internal"));
  const alert = page.getByRole("alert");
  await expect.element(alert).toMatchTextContent(/^Failed to fetch metricsSomething went wrong on the server\. Try again\./);
  answer({ "GET /admin/metrics": busy });
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByText("Sign-ins today")).toBeVisible();
  await expect.element(alert).not.toBeInTheDocument();
  answer({ "GET /admin/metrics": refusal(500, "internal") });
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect.element(alert).toMatchTextContent(/^Failed to fetch metrics/);
  await expect.element(page.getByText("Sign-ins today")).toBeVisible();
});

test("says that the server has no panel, and offers no retry", async () => {
  answer({ "GET /admin/metrics": refusal(404, "notOffered") });
  await openPage("/admin", { as: "superuser" });
  await expect.element(page.getByText("This server doesn’t share information about its users and jobs.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Try again" })).not.toBeInTheDocument();
});
