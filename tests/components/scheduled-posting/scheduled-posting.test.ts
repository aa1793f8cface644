import { expect, test } from "vitest";
import type { ScheduledRun, ScheduledStatus } from "#contract/index.ts";
import { answer, holdAnswer, lost, openPage, page, refusal } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";

const panel = page.getByRole("region", { name: "Scheduled posting" });
const button = (name: string) => panel.getByRole("button", { name, exact: true });
const day = 86_400_000;
const iso = (ms: number) => new Date(Date.now() + ms).toISOString();

function status(change: Partial<ScheduledStatus> = {}): ScheduledStatus {
  return {
    enabled: true,
    nextRunTime: iso(3.25 * day),
    lastRunTime: iso(-2.25 * day),
    postsGenerated: 1_234,
    postsSkipped: 5,
    status: "idle",
    errorMessage: null,
    skipsNext: false,
    followingRunTime: null,
    canWrite: true,
    history: [],
    ...change,
  };
}
const run = (change: Partial<ScheduledRun>): ScheduledRun => ({
  id: JSON.stringify(change),
  origin: "schedule",
  dueTime: "2026-03-01T06:00:00.000Z",
  finishedTime: null,
  outcome: "skipped",
  reason: null,
  post: null,
  ...change,
});
const noPosts = { posts: [], total: 0, page: 1, totalPages: 1, facets: { languages: [], topics: [] } };

/**
 * Opens the page of posts with the schedule.
 * @returns how often the page loaded the posts
 */
async function open(said: unknown, path = "/admin/blog"): Promise<{ posts: number }> {
  const asked = { posts: 0 };
  answer({
    "GET /admin/blog": () => {
      asked.posts += 1;
      return noPosts;
    },
    "GET /admin/blog/scheduled-status": () => (said instanceof Response ? said : Response.json(said)),
  });
  await openPage(path, { as: "superuser" });
  await expect.element(panel).toBeVisible();
  return asked;
}
const facts = () => textsOf(panel.getByRole("definition"));

test("shows the next run, the last run's result, and the number of runs", async () => {
  await open(status({ errorMessage: "the model is away" }));
  await expect
    .poll(() => facts().map((fact) => fact.replace(/\d+ \w{3,4} \d{4}, \d\d:\d\d/, "DATE")))
    .toEqual(["in 3 days DATE", "2 days ago DATE the model is away", "1,234", "5"]);
  await expect.element(panel.getByText("the model is away")).toHaveAttribute("lang", "en");
  await expect.element(panel.getByRole("alert")).not.toBeInTheDocument();
});

test("explains how to turn on the schedule and the language model", async () => {
  await open(status({ enabled: false, canWrite: false, nextRunTime: null, lastRunTime: null }), "/blog/admin");
  await expect.element(panel.getByText("BLOG_SCHEDULE=0 7 * * 1-5")).toBeVisible();
  await expect.element(panel.getByText("No language model is set up, so every run is skipped.")).toBeVisible();
  expect(facts().slice(0, 2)).toEqual(["None", "None yet"]);
  await expect.element(button("Skip next run")).not.toBeInTheDocument();
  await expect.element(button("Write and publish now")).toBeVisible();
});

test("skips the next run, and takes the skip back", async () => {
  await open(status());
  const sent: unknown[] = [];
  const slow = holdAnswer();
  answer({
    "POST /admin/blog/skip-next-scheduled": async ({ request }) => {
      sent.push(await request.json());
      return slow.answer();
    },
  });
  await button("Skip next run").click();
  await expect.element(button("Skip next run")).toHaveAttribute("aria-busy", "true");
  slow.give(status({ skipsNext: true, followingRunTime: "2026-12-24T06:00:00.000Z" }));
  await expect.element(panel.getByText("This run will be skipped. The following run is on 24 Dec 2026, 07:00.")).toBeVisible();
  answer({
    "POST /admin/blog/skip-next-scheduled": async ({ request }) => {
      sent.push(await request.json());
      return status();
    },
  });
  await button("Don’t skip next run").click();
  await expect.element(button("Skip next run")).toBeVisible();
  await expect.element(panel.getByText("This run will be skipped")).not.toBeInTheDocument();
  expect(sent).toEqual([{ skip: true }, { skip: false }]);
});

test("names no later run when the skipped run is the only one", async () => {
  await open(status({ skipsNext: true }));
  await expect.element(panel.getByText("This run will be skipped.", { exact: true })).toBeVisible();
});

test("loads the schedule's state again when a change has an unknown answer", async () => {
  await open(status());
  answer({
    "POST /admin/blog/skip-next-scheduled": { done: true },
    "GET /admin/blog/scheduled-status": status({ skipsNext: true }),
  });
  await button("Skip next run").click();
  await expect.element(button("Don’t skip next run")).toBeVisible();
});

test("lists past runs with their reasons", async () => {
  const post = { id: "p1", slug: "letters", title: "Letters" };
  await open(
    status({
      history: [
        run({ outcome: "posted", origin: "person", post }),
        run({ outcome: "running" }),
        ...(["byPerson", "noModel", "missed", "nothingNew"] as const).map((reason) => run({ reason })),
        ...(["modelFailed", "interrupted", "internal"] as const).map((reason) => run({ outcome: "failed", reason })),
      ],
    }),
  );
  await panel.getByText("History").click();
  const when = "1 Mar 2026, 07:00";
  await expect
    .poll(() => textsOf(panel.getByRole("listitem")))
    .toEqual([
      `${when}started manually Published: Letters`,
      `${when} Writing a post. This may take a minute.`,
      `${when} Skipped: an administrator skipped it.`,
      `${when} Skipped: no language model is set up.`,
      `${when} Skipped: the server was down until the next run was due.`,
      `${when} Skipped: the language model found no topic that the blog hasn’t covered yet.`,
      `${when} Failed: the language model gave an unusable answer.`,
      `${when} Failed: the server stopped three times while writing the post.`,
      `${when} Failed: something went wrong on the server.`,
    ]);
  await expect.element(panel.getByRole("link", { name: "Letters" })).toHaveAttribute("href", "/blog/letters");
});

test("says that there was no run yet", async () => {
  await open(status());
  await panel.getByText("History").click();
  await expect.element(panel.getByText("No runs yet.")).toBeVisible();
});

test("starts a run, follows it, and lists the new post", async () => {
  const asked = await open(status());
  await expect.element(button("Write and publish now")).toBeVisible();
  const before = asked.posts;
  const running = run({ id: "r1", origin: "person", outcome: "running" });
  const slow = holdAnswer();
  answer({
    "POST /admin/blog/trigger-scheduled": slow.answer,
    "GET /admin/blog/scheduled-status": status({
      postsGenerated: 1_235,
      history: [{ ...running, outcome: "posted", post: { id: "p1", slug: "letters", title: "Letters" } }],
    }),
  });
  await button("Write and publish now").click();
  await expect.element(button("Write and publish now")).toHaveAttribute("aria-busy", "true");
  await expect.element(panel.getByText("Writing a post").first()).toBeVisible();
  slow.give(status({ status: "running", history: [running] }));
  await expect.element(panel.getByRole("status").getByText("Published: Letters")).toBeVisible();
  await expect.element(button("Write and publish now")).not.toHaveAttribute("aria-busy");
  await expect.poll(() => asked.posts).toBe(before + 1);
});

test("shows at the start of a visit that a post is being written", async () => {
  await open(status({ status: "running" }));
  await expect.element(panel.getByText("Writing a post.")).toBeVisible();
  await expect.element(button("Write and publish now")).toHaveAttribute("aria-busy", "true");
});

// SPEC 8: "Network errors give 'Network error - could not fetch status'"
test("says that the server has no schedule or can't be reached, and retries", async () => {
  await open(refusal(404, "notOffered"));
  await expect.element(panel.getByText("Scheduled posting feature not yet implemented", { exact: true })).toBeVisible();
  await expect.element(button("Write and publish now")).not.toBeInTheDocument();
  answer({ "GET /admin/blog/scheduled-status": lost() });
  await button("Try again").click();
  await expect.element(panel.getByText("Network error - could not fetch status", { exact: true })).toBeVisible();
  const slow = holdAnswer();
  answer({ "GET /admin/blog/scheduled-status": slow.answer });
  await button("Try again").click();
  await expect.element(panel.getByText("Loading…")).toBeVisible();
  await expect.element(panel).toHaveAttribute("aria-busy", "true");
  slow.give(status());
  await expect.element(button("Write and publish now")).toBeVisible();
  await expect.element(panel).toHaveAttribute("aria-busy", "false");
  for (const [name, call, said] of [
    ["Write and publish now", "trigger-scheduled", "Network error - could not trigger scheduled post"],
    ["Skip next run", "skip-next-scheduled", "Network error - could not skip scheduled post"],
  ] as const) {
    answer({ [`POST /admin/blog/${call}`]: lost() });
    await button(name).click();
    await expect.element(panel.getByRole("alert")).toHaveTextContent(said);
  }
});
