import { expect, test } from "vitest";
import type {
  Insight,
  InsightModel,
  InsightRequest,
  TaskChange,
  Template,
  TemplatesAnswer,
  Transcription,
} from "#contract/index.ts";
import { answer, openStream, page, refusal, userEvent } from "#tests/components/harness.ts";
import { engines } from "#tests/components/harness-answers.ts";
import { violations } from "#tests/components/harness-axe.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { act, focusedName, openActions, openTranscript } from "#tests/components/harness-transcripts.ts";
import { savedFiles } from "#tests/components/vault/kept-vault.ts";

const base = "/api/v1/audio-transcriptions/transcription/:id/insights";
const small: InsightModel = { name: "small-model", host: "localhost:11434", offline: true };
const panel = page.getByRole("region", { name: "Summary and questions" });
const button = (name: string | RegExp) => panel.getByRole("button", { name, exact: true });
const show = (kind: string) => panel.getByText(kind, { exact: true }).first().click();
const template = panel.getByRole("combobox", { name: "Template", exact: true });

const insight = (parts: Partial<Insight>): Insight => ({
  id: "one",
  kind: "summary",
  template: null,
  question: null,
  points: [],
  omitted: 0,
  model: "small-model",
  createdAt: "2026-03-02T10:00:00.000Z",
  outdated: false,
  ...parts,
});

/** A server with a language model whose output the test sends. */
function keepInsights(insights: Insight[] = [], model: InsightModel | null = small) {
  const asked: InsightRequest[] = [];
  const changes: TaskChange[] = [];
  let stream = openStream();
  answer({
    [`GET ${base}`]: () => ({ model, insights }),
    [`POST ${base}`]: async ({ request }) => {
      asked.push(await request.json());
      stream = openStream();
      return stream.response;
    },
    [`PATCH ${base}/:insight`]: async ({ request, params }) => {
      const change: TaskChange = await request.json();
      changes.push(change);
      const kept = insights.find(({ id }) => id === params.insight) ?? insight({});
      const points = kept.points.map((point, at) => {
        if (at !== change.index || point.task === undefined) return point;
        const { text = point.text, owner = point.task.owner, due = point.task.due, done = point.task.done } = change;
        return { ...point, text, task: { owner, due, done } };
      });
      Object.assign(kept, { points });
      return kept;
    },
    [`DELETE ${base}/:insight`]: ({ params }) => ({ id: String(params.insight) }),
  });
  /** Waits until the page has sent this number of requests. */
  const asks = (count: number) => expect.poll(() => asked.length).toBe(count);
  return { asked, asks, changes, say: (name: string, value: unknown) => stream.send(name, { [name]: value }) };
}

async function open(parts: Partial<Transcription> = {}) {
  await openTranscript({ title: "The budget", ...parts });
  await act("Summary and questions");
  await expect.element(panel).toBeVisible();
}

test("streams a summary with times that lead to its passages, and stops, rewrites and deletes it", async () => {
  const kept = keepInsights();
  await open();
  await expect
    .element(panel.getByText("small-model reads the transcript on this server’s own machine (localhost:11434)."))
    .toBeVisible();
  await expect.element(template).toHaveValue("meeting");
  await template.selectOptions("Lecture");
  await button("Write a summary").click();
  await expect.element(panel.getByText("The model is reading…")).toBeVisible();
  expect(kept.asked).toEqual([{ kind: "summary", template: "lecture", language: null }]);
  kept.say("progress", { done: 2, total: 5 });
  await expect.element(panel.getByText("The model is reading part 3 of 4…")).toBeVisible();
  await expect.element(panel.getByLabelText("Reading progress")).toHaveAttribute("aria-valuenow", "40");
  kept.say("progress", { done: 4, total: 5 });
  await expect.element(panel.getByText("The model is combining the parts…")).toBeVisible();
  kept.say("progress", { done: 0, total: 1 });
  kept.say("point", { text: "The budget is lower.", spans: [[4, 7]], heading: "Money" });
  await expect.element(panel.getByText("The model is writing…")).toBeVisible();
  await expect.element(panel.getByRole("heading", { name: "Money" })).toBeVisible();
  await show("Tasks");
  await expect.element(panel.getByText("Another result is being written.")).toBeVisible();
  await expect.element(button("Find tasks")).toHaveAttribute("aria-disabled", "true");
  await expect.element(panel.getByText("The budget is lower.")).not.toBeInTheDocument();
  await show("Summary");
  await button("Stop").click();
  await expect.element(panel.getByText("Stopped early. What was written so far isn’t saved.")).toBeVisible();
  await expect.element(panel.getByText("The budget is lower.")).toBeVisible();
  await expect.element(button("Write a summary")).toHaveFocus();

  await panel.getByLabelText("Result language").selectOptions("interface");
  await template.selectOptions("Lecture");
  await button("Write a summary").click();
  await kept.asks(2);
  await expect.element(panel.getByText("Stopped early")).not.toBeInTheDocument();
  expect(kept.asked[1]).toEqual({ kind: "summary", template: "lecture", language: "en" });
  const points = [
    { text: "Lower.", spans: [[4, 7] as [number, number]], heading: "Money" },
    { text: "Really.", spans: [[7, 10] as [number, number]] },
    { text: "<b>March</b>", spans: [[0, 4] as [number, number]], heading: "Print" },
  ];
  kept.say("insight", insight({ template: "lecture", points, omitted: 2, outdated: true }));
  await expect
    .element(panel.getByText("Written by small-model, 2 Mar 2026, 11:00. Language models make mistakes: check what matters."))
    .toBeVisible();
  await expect.element(panel.getByText("2 sentences without a source in the transcript were left out.")).toBeVisible();
  await expect.element(panel.getByText("The transcript has been corrected since.")).toBeVisible();
  expect(textsOf(panel.getByRole("heading", { level: 4 }))).toEqual(["Money", "Print"]);
  expect(textsOf(panel.getByRole("listitem"))).toEqual(["Lower. 0:04", "Really. 0:07", "<b>March</b> 0:00"]);
  // Without audio, a time leads to its passage.
  await expect.element(button("Show the passage at 0:07")).toBeVisible();
  await expect.element(panel.getByText("Done.")).toBeInTheDocument();

  // Stopping keeps the stored summary.
  await button("Rewrite").click();
  await kept.asks(3);
  kept.say("point", { text: "Another begins.", spans: [[0, 4]] });
  await expect.element(panel.getByText("Another begins.")).toBeVisible();
  await expect.element(panel.getByText("Lower.")).not.toBeInTheDocument();
  await button("Stop").click();
  await expect.element(panel.getByText("Lower.")).toBeVisible();
  await expect.element(panel.getByText("Another begins.")).toBeVisible();
  await button("Delete the summary").click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await button("Delete the summary").click();
  await expect.element(page.getByText("The transcript stays. This can’t be undone.")).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect.element(panel.getByText("Lower.")).not.toBeInTheDocument();
  await button("Close").click();
  await expect.element(panel).not.toBeInTheDocument();
  await expect.poll(focusedName).toBe("Actions");
});

const listed = insight({
  kind: "tasks",
  points: [
    { text: "Send it", spans: [[4, 7]], task: { owner: "Ada", due: "2026-03-06", done: false } },
    { text: "Print it", spans: [[7, 10]], task: { owner: null, due: null, done: false } },
  ],
});

test("ticks off and edits tasks, and saves them as Markdown and as a calendar", async () => {
  const chapters = insight({ id: "two", kind: "chapters", points: [{ text: "March", spans: [[4, 10]] }] });
  const kept = keepInsights([structuredClone(listed), chapters]);
  const saved = savedFiles();
  await open({ title: 'The "budget": 1/2' });
  await show("Tasks");
  const rows = panel.getByRole("listitem");
  await expect.poll(() => textsOf(rows)).toEqual(["Send it Ada by 6 March 2026 0:04", "Print it 0:07"]);
  await panel.getByRole("checkbox", { name: "Print it" }).click();
  await expect.element(panel.getByRole("checkbox", { name: "Print it" })).toBeChecked();
  await button("Edit the task “Send it”").click();
  const [what, who, when] = [
    panel.getByLabelText("Task", { exact: true }),
    panel.getByLabelText("Who", { exact: true }),
    panel.getByLabelText("Due"),
  ];
  await expect.element(what).toHaveFocus();
  await expect.element(what).toHaveValue("Send it");
  await expect.element(who).toHaveValue("Ada");
  await expect.element(when).toHaveValue("2026-03-06");
  await button("Cancel").click();
  await button("Edit the task “Send it”").click();
  await what.fill(" Send them ");
  await who.fill("");
  await when.fill("2026-04-01");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => textsOf(rows)).toEqual(["Send them by 1 April 2026 0:04", "Print it 0:07"]);
  await expect
    .poll(() => kept.changes)
    .toEqual([
      { index: 1, done: true },
      { index: 0, text: "Send them", owner: null, due: "2026-04-01" },
    ]);
  expect(await violations()).toEqual([]);
  await button("Markdown (.md)").click();
  await button("Calendar (.ics)").click();
  expect([...saved.keys()]).toEqual(["The budget 1 2 – tasks.md", "The budget 1 2 – tasks.ics"]);
  expect(await saved.get("The budget 1 2 – tasks.md")?.text()).toContain(
    "- [ ] Send them (2026-04-01, 0:04)\n- [x] Print it (0:07)\n",
  );
  expect(await saved.get("The budget 1 2 – tasks.ics")?.text()).toContain("DTSTART;VALUE=DATE:20260401\r\nSUMMARY:Send them\r\n");

  answer({ [`PATCH ${base}/:insight`]: refusal(500, "internal") });
  await panel.getByRole("checkbox", { name: "Send them" }).click();
  await expect.element(page.getByText("Something went wrong on the server.").first()).toBeVisible();
  await expect.element(panel.getByRole("checkbox", { name: "Send them" })).not.toBeChecked();
  await show("Chapters");
  await expect.poll(() => textsOf(rows)).toEqual(["0:04–0:10 March"]);
  await button("Find chapters again").click();
  await expect.poll(() => kept.asked).toEqual([{ kind: "chapters", language: null }]);
  kept.say("insight", insight({ id: "three", kind: "chapters", points: [{ text: "All", spans: [[0, 10]] }] }));
  await expect.poll(() => textsOf(rows)).toEqual(["0:00–0:10 All"]);
});

test("lists new tasks while the model finds them, and offers no files when there is none", async () => {
  const kept = keepInsights();
  await open();
  await show("Tasks");
  await button("Find tasks").click();
  await kept.asks(1);
  for (const point of listed.points) kept.say("point", point);
  await expect
    .poll(() => textsOf(panel.getByRole("listitem")))
    .toEqual([expect.stringMatching(/^Send it Ada ?by 6 March 2026 0:04$/), "Print it 0:07"]);
  expect(panel.getByRole("checkbox").elements()).toEqual([]);
  await expect.element(button("Markdown (.md)")).not.toBeInTheDocument();
  kept.say("insight", { ...listed, points: listed.points.slice(1) });
  await expect.element(panel.getByRole("checkbox", { name: "Print it" })).toBeVisible();
  // No task has a due date, so a calendar would be empty.
  await expect.element(button("Markdown (.md)")).toBeVisible();
  await expect.element(button("Calendar (.ics)")).not.toBeInTheDocument();
  await button("Find tasks again").click();
  await kept.asks(2);
  kept.say("insight", { ...listed, id: "none", points: [] });
  await expect.element(panel.getByText("No tasks found in this recording.")).toBeVisible();
  await expect.element(button("Markdown (.md)")).not.toBeInTheDocument();
});

test("shows answers with the newest first, and retries a failed question", async () => {
  const kept = keepInsights([insight({ id: "old", kind: "answer", question: "Who sings?" })]);
  await open();
  await show("Questions");
  const answers = panel.getByRole("article");
  await expect.poll(() => textsOf(answers)[0]).toMatch(/^Who sings\? The transcript doesn’t say\. Written by/);
  await expect.element(button("Ask")).toHaveAttribute("aria-disabled", "true");
  const field = panel.getByLabelText("Your question");
  await field.fill("  When? ");
  await userEvent.keyboard("{Enter}");
  await expect.element(field).toHaveValue("");
  await expect.element(answers.first().getByText("When?")).toBeVisible();
  await kept.asks(1);
  kept.say("error", { code: "modelFailed", message: "" });
  await expect.element(panel.getByRole("alert").first()).toBeVisible();
  await button("Try again").click();
  await expect
    .poll(() => kept.asked)
    .toEqual([
      { kind: "answer", question: "When?", language: null },
      { kind: "answer", question: "When?", language: null },
    ]);
  kept.say(
    "insight",
    insight({ id: "new", kind: "answer", question: "When?", points: [{ text: "In March.", spans: [[7, 10]] }] }),
  );
  await expect
    .poll(() => textsOf(answers).map((text) => text.slice(0, 22)))
    .toEqual(["When? In March. 0:07 W", "Who sings? The transcr"]);

  answer({ [`POST ${base}`]: refusal(429, "tooManyRequests", { "Retry-After": "3600" }) });
  await field.fill("And then?");
  await userEvent.keyboard("{Enter}");
  await expect.element(panel.getByText(/can ask again at \d\d?:\d\d/)).toBeVisible();
  await button("Delete this answer").first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect.element(panel.getByText("In March.")).not.toBeInTheDocument();
});

test("shows stored results when the server no longer has a language model, and offers nothing new", async () => {
  const { insights: _, ...withoutModel } = engines;
  answer({ "GET /api/v1/engines": withoutModel, [`GET ${base}`]: refusal(500, "internal") });
  await openTranscript({ id: "nothing-made" });
  await openActions();
  await expect.element(page.getByRole("button", { name: "Copy" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Summary and questions" })).not.toBeInTheDocument();
  await open({ id: "made-before", hasInsights: true });
  await expect.element(panel.getByRole("radio")).not.toBeInTheDocument();
  keepInsights([], null);
  await button("Try again").click();
  await expect.element(panel.getByText(/Summaries aren’t available on this server/)).toBeVisible();
  expect(await violations()).toEqual([]);
  for (const kind of ["Tasks", "Chapters", "Questions", "Summary"]) {
    await show(kind);
    await expect.poll(() => textsOf(panel.getByRole("button")).length).toBe(1);
    expect(panel.getByRole("textbox").elements()).toEqual([]);
  }
});

test("names the host of an external model, and edits, uses and deletes the user's own templates", async () => {
  const kept = keepInsights([insight({ template: "Harbours" })], { ...small, host: "api.example.org", offline: false });
  let templates: Template[] = [{ id: "00000000-0000-4000-8000-000000000001", name: "Harbours", prompt: "Which?" }];
  const sent: unknown[] = [];
  const all = () => ({ templates, defaults: [] });
  answer({
    "GET /users/me/insight-templates": all,
    "POST /users/me/insight-templates": async ({ request }) => {
      const draft = await request.json();
      sent.push(draft);
      templates = [...templates, { id: "00000000-0000-4000-8000-000000000002", ...draft }];
      return all();
    },
    "PUT /users/me/insight-templates/:id": async ({ request, params }) => {
      const draft = await request.json();
      sent.push([params.id, draft]);
      templates = templates.map((one) => (one.id === params.id ? { ...one, ...draft } : one));
      return all();
    },
    "DELETE /users/me/insight-templates/:id": ({ params }) => {
      templates = templates.filter(({ id }) => id !== params.id);
      return all();
    },
  });
  await open();
  await expect
    .element(panel.getByText("For each result, the transcript is sent to small-model at api.example.org"))
    .toBeVisible();
  // The last used template is preset.
  await expect.element(template).toHaveValue("00000000-0000-4000-8000-000000000001");
  await expect.element(panel.getByLabelText("Use this template for every transcript in the folder")).not.toBeInTheDocument();
  await button("Your templates…").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "New template" }).click();
  await expect.element(dialog.getByLabelText("Name")).toHaveFocus();
  await dialog.getByLabelText("Name").fill(" Ships ");
  await dialog.getByLabelText("Instructions").fill("Which ships?");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => textsOf(dialog.getByRole("listitem"))).toEqual(["Harbours", "Ships"]);
  await dialog.getByRole("button", { name: "Edit “Ships”" }).click();
  await dialog.getByLabelText("Name").fill("Boats");
  answer({ "PUT /users/me/insight-templates/:id": refusal(500, "internal") });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(dialog.getByRole("alert")).toBeVisible();
  await expect.element(dialog.getByLabelText("Name")).toHaveValue("Boats");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.getByRole("button", { name: "Delete “Harbours”" }).click();
  await expect.poll(() => textsOf(dialog.getByRole("listitem"))).toEqual(["Ships"]);
  await dialog.getByRole("button", { name: "Close" }).click();
  expect(sent).toEqual([{ name: "Ships", prompt: "Which ships?" }]);
  // The last used template no longer exists.
  await expect.element(template).toHaveValue("meeting");
  await template.selectOptions("Ships");
  await button("Rewrite").click();
  await expect.poll(() => kept.asked).toMatchObject([{ template: "00000000-0000-4000-8000-000000000002" }]);
});

test("sets and clears a folder's template on one of its transcripts", async () => {
  keepInsights();
  const sent: unknown[] = [];
  let defaults: TemplatesAnswer["defaults"] = [{ folderId: "talks", template: "lecture" }];
  answer({
    "GET /users/me/insight-templates": () => ({ templates: [], defaults }),
    "PUT /users/me/insight-templates/folders/:folder": async ({ request, params }) => {
      const { template: chosen } = await request.json();
      sent.push([params.folder, chosen]);
      defaults = chosen === null ? [] : [{ folderId: "talks", template: chosen }];
      return { templates: [], defaults };
    },
  });
  await open({ filed: { folderId: "talks", tagIds: [], favourite: false } });
  const ofFolder = panel.getByLabelText("Use this template for every transcript in the folder");
  await expect.element(template).toHaveValue("lecture");
  await expect.element(ofFolder).toBeChecked();
  await template.selectOptions("Interview");
  await expect.element(ofFolder).not.toBeChecked();
  await ofFolder.click();
  await expect.element(ofFolder).toBeChecked();
  expect(await violations()).toEqual([]);
  await ofFolder.click();
  await expect.element(ofFolder).not.toBeChecked();
  await expect.element(template).toHaveValue("interview");
  await expect
    .poll(() => sent)
    .toEqual([
      ["talks", "interview"],
      ["talks", null],
    ]);
  answer({ "PUT /users/me/insight-templates/folders/:folder": refusal(500, "internal") });
  await ofFolder.click();
  await expect.element(panel.getByRole("alert").first()).toBeVisible();
});
