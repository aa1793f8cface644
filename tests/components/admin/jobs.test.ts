import { expect, test, vi } from "vitest";
import type { AdminJob } from "#contract/index.ts";
import { answer, holdAnswer, openPage, page, refusal } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { paged } from "./rows.ts";

const job = (change: Partial<AdminJob> = {}): AdminJob => ({
  id: "j1",
  userId: "u1",
  email: "ada@example.org",
  state: "running",
  origin: "upload",
  language: "en",
  engine: "Moonshine",
  durationSeconds: 3_723,
  stage: "recognizing",
  fraction: 0.504,
  failures: 0,
  error: null,
  canRetry: false,
  createdAt: "2026-03-01T12:00:00.000Z",
  ...change,
});
const failed = job({ id: "j2", email: "grace@example.org", state: "failed", error: "notAudio", canRetry: true, failures: null });

/**
 * Opens the list of jobs.
 * @returns the queries of its requests
 */
async function open(jobs: AdminJob[], search = ""): Promise<string[]> {
  const asked: string[] = [];
  answer({
    "GET /admin/jobs": ({ request }) => {
      asked.push(new URL(request.url).search);
      return { jobs, pagination: paged(jobs.length) };
    },
  });
  await openPage(`/admin?section=jobs${search}`, { as: "superuser" });
  return asked;
}
const rows = () => textsOf(page.getByRole("table").getByRole("row")).slice(1);
const dialog = page.getByRole("dialog", { name: "Cancel this job?" });

test("lists jobs with their state, progress or error, and possible actions", async () => {
  const asked = await open([
    job(),
    job({ id: "a", state: "waiting", origin: "url", language: "auto", engine: null, durationSeconds: null, failures: 2 }),
    job({ id: "b", stage: null, origin: "dictation", language: "de-DE", durationSeconds: 7 }),
    failed,
    job({ id: "c", state: "failed", error: null, origin: "conversation" }),
  ]);
  await expect.element(page.getByText("Jobs: 5")).toBeVisible();
  const when = "1 Mar 2026, 13:00";
  expect(rows()).toEqual([
    `ada@example.org ${when} Running 50% File, English, 1:02:03 Moonshine 0 Cancel`,
    `ada@example.org ${when} Waiting Link, Detect automatically – 2 Cancel`,
    `ada@example.org ${when} Running Dictation, German (Germany), 0:07 Moonshine 0 Cancel`,
    `grace@example.org ${when} Failed This file can’t be read as audio or video. Use wav, mp3, m4a, ogg, opus, webm, flac or mp4. File, English, 1:02:03 Moonshine – Try again`,
    `ada@example.org ${when} Failed Conversation, English, 1:02:03 Moonshine 0 The audio is gone`,
  ]);
  const tones = [...document.querySelectorAll("tbody [data-label=State] span > span")].map((one) =>
    one.getAttribute("data-tone"),
  );
  expect(tones).toEqual(["accent", null, "accent", "danger", "danger"]);
  expect(asked).toEqual(["?state=all&page=1"]);
  await expect.element(page.getByRole("link", { name: "ada@" }).first()).toHaveAttribute("href", "/admin?section=users&user=u1");
});

test("filters jobs by state, and says when no job matches", async () => {
  const asked = await open([], "&state=failed&page=2");
  await expect.element(page.getByText("No jobs.")).toBeVisible();
  const show = page.getByLabelText("Show");
  expect([...show.element().querySelectorAll("option")].map(({ text }) => text)).toEqual(["All", "Waiting", "Running", "Failed"]);
  await show.selectOptions("Running");
  await expect.poll(() => location.search).toBe("?section=jobs&state=running");
  await show.selectOptions("All");
  await expect.poll(() => location.search).toBe("?section=jobs");
  await expect.poll(() => asked).toEqual(["?state=failed&page=2", "?state=running&page=1", "?state=all&page=1"]);
});

test("cancels a job only after confirmation", async () => {
  await open([job()]);
  const cancelled: string[] = [];
  const slow = holdAnswer();
  answer({
    "POST /admin/jobs/:id/cancel": ({ params }) => {
      cancelled.push(String(params.id));
      return slow.answer();
    },
  });
  const button = page.getByRole("button", { name: "Cancel the job of ada@example.org" });
  await button.click();
  await expect.element(dialog).toMatchTextContent("The job stops immediately.");
  await dialog.getByRole("button", { name: "Keep running" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
  await expect.element(button).not.toHaveAttribute("aria-busy");
  expect(cancelled).toEqual([]);
  await button.click();
  await dialog.getByRole("button", { name: "Cancel job" }).click();
  await expect.element(button).toHaveAttribute("aria-busy", "true");
  answer({ "GET /admin/jobs": { jobs: [], pagination: paged(0) } });
  slow.give(job({ state: "failed", error: "cancelledByOperator" }));
  await expect.element(page.getByText("Job canceled.")).toBeVisible();
  await expect.element(page.getByText("No jobs.")).toBeVisible();
  expect(cancelled).toEqual(["j1"]);
});

test("retries a failed job without confirmation, and focuses the heading", async () => {
  await open([failed]);
  const again: string[] = [];
  answer({
    "POST /admin/jobs/:id/retry": ({ params }) => {
      again.push(String(params.id));
      return job({ state: "waiting" });
    },
  });
  await page.getByRole("button", { name: "Retry the job of grace@example.org" }).click();
  await expect.element(page.getByText("The job was started again.")).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "Jobs" })).toHaveFocus();
  expect(again).toEqual(["j2"]);
});

test("says why a job can't be retried", async () => {
  await open([failed]);
  for (const [refused, said] of [
    [refusal(409, "conflict"), "The state of this job has changed."],
    [refusal(402, "limitReached"), "The user has no free minutes left this month."],
    [refusal(410, "gone"), "This was permanently deleted and can’t be restored."],
  ] as const) {
    answer({ "POST /admin/jobs/:id/retry": refused });
    await page.getByRole("button", { name: "Retry the job of grace@example.org" }).click();
    await expect.element(page.getByRole("alert")).toHaveTextContent(`The job couldn’t be changed.${said}`);
  }
});

test("refreshes the list of jobs every five seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  try {
    const asked = await open([]);
    await expect.element(page.getByText("No jobs.")).toBeVisible();
    answer({ "GET /admin/jobs": { jobs: [job()], pagination: paged(1) } });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(asked).toHaveLength(1);
    await expect.element(page.getByText("No jobs.")).toBeVisible();
    await vi.advanceTimersByTimeAsync(1_000);
    await expect.element(page.getByText("Jobs: 1")).toBeVisible();
  } finally {
    vi.useRealTimers();
  }
});

test("says that jobs can't be fetched", async () => {
  answer({ "GET /admin/jobs": refusal(500, "internal") });
  await openPage("/admin?section=jobs", { as: "superuser" });
  await expect.element(page.getByRole("alert")).toMatchTextContent(/^Failed to fetch jobs/);
});
