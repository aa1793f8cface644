import { parse } from "valibot";
import { expect, test } from "vitest";
import { DiversityStats, type GenerationEvent } from "#contract/index.ts";
import { answer, holdAnswer, openPage, openStream, page, refusal } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { listOf, post, scheduleAnswers } from "./answers.ts";

const stats = (change: Partial<DiversityStats> = {}): DiversityStats => ({
  ...parse(DiversityStats, {}),
  model: "small-model",
  ...change,
});

async function open(said: DiversityStats = stats(), path = "/blog/admin/generator"): Promise<void> {
  answer({ "GET /admin/blog/diversity-stats": { ...said }, "GET /admin/blog": listOf([]), ...scheduleAnswers });
  await openPage(path, { as: "superuser" });
  await expect.element(page.getByRole("heading", { name: "Topic variety" })).toBeVisible();
}

/** A language model whose output the test sends. */
function model(mode: "generate" | "generate-unique" = "generate") {
  const stream = openStream();
  const asked: unknown[] = [];
  let isLeft = false;
  answer({
    [`POST /admin/blog/${mode}`]: async ({ request }) => {
      asked.push(await request.json());
      request.signal.addEventListener("abort", () => {
        isLeft = true;
      });
      return stream.response;
    },
  });
  const send = (event: GenerationEvent) => stream.send(Object.keys(event)[0] ?? "", event);
  return { asked, send, isLeft: () => isLeft };
}
const head = { title: "Notes by voice", summary: "In short.", topics: ["dictation", "notes"] };
const content = "Speaking is **quicker**.\n\n## Why it works";
const whole = { ...head, content, language: "en" };

const write = page.getByRole("button", { name: "Write post" });
const surprise = page.getByRole("button", { name: "Surprise me with a new topic" });
const topic = page.getByRole("textbox", { name: "Topic" });
const heading = (name: string) => page.getByRole("heading", { name, exact: true });

test("requires a topic before it generates a post", async () => {
  await open();
  await write.click();
  await expect.element(page.getByText("Enter a topic, or choose a surprise.")).toBeVisible();
  await expect.element(topic).toHaveFocus();
  await expect.element(page.getByText("The post appears here, word by word.")).toBeVisible();
});

test("shows a post while the model writes it, and saves it as a draft", async () => {
  await open();
  const { asked, send } = model();
  await topic.fill("Why notes by voice are quicker");
  await page.getByLabelText("Tone").selectOptions("Professional");
  await page.getByLabelText("Length").selectOptions("Short (about 300 words)");
  await page.getByRole("form", { name: "What to write" }).getByLabelText("Language").selectOptions("German");
  await page.getByLabelText("Audience (optional)").fill("Beginners");
  await write.click();
  await expect.element(heading("Writing the post")).toBeVisible();
  await expect.element(page.getByText("Asking the language model…")).toBeVisible();
  await expect.element(write).toHaveAttribute("aria-busy", "true");
  await expect.element(surprise).toBeDisabled();
  await expect.element(topic).toBeDisabled();
  send({ step: "writing" });
  send({ head });
  send({ text: "Speaking is **quicker**." });
  await expect.element(page.getByText("Writing…")).toBeVisible();
  await expect.element(page.getByText("3 of about 300 words")).toBeVisible();
  await expect.element(page.getByRole("progressbar", { name: "Words so far" })).toHaveAttribute("aria-valuenow", "1");
  await expect.element(heading("Notes by voice")).toBeVisible();
  const article = page.getByRole("article");
  await expect.element(article.getByText("In short.")).toBeVisible();
  expect(textsOf(article.getByRole("listitem"))).toEqual(["dictation", "notes"]);
  const drafts: unknown[] = [];
  const saved = holdAnswer();
  answer({
    "POST /admin/blog": async ({ request }) => {
      drafts.push(await request.json());
      return saved.answer();
    },
    "GET /admin/blog/:id": post({ id: "p9", title: "Notes by voice" }),
    "GET /admin/blog/slug": { slug: "x", free: true },
  });
  send({ post: whole });
  await expect.element(heading("Saving the draft")).toBeVisible();
  saved.give(Response.json(post({ id: "p9" }), { status: 201 }));
  await expect.poll(() => location.pathname + location.search).toBe("/blog/admin/editor?id=p9");
  await expect.element(page.getByRole("textbox", { name: "Title" })).toHaveValue("Notes by voice");
  expect(asked).toEqual([
    { topic: "Why notes by voice are quicker", tone: "professional", language: "de", length: "short", audience: "Beginners" },
  ]);
  expect(drafts).toEqual([{ ...head, content, language: "en", generated: true, status: "draft" }]);
});

test("stops in the middle of a post, keeps the partial text, and offers it at the next visit", async () => {
  await open();
  const { send, isLeft } = model();
  await topic.fill("Voices");
  await write.click();
  send({ step: "writing" });
  send({ head });
  send({ text: content });
  await expect.element(heading("Why it works")).toBeVisible();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect.element(heading("Stopped")).toHaveFocus();
  await expect.poll(isLeft).toBe(true);
  await expect.element(page.getByText("What was written so far is below")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Rewrite" })).toBeVisible();
  await page.getByRole("link", { name: "Posts", exact: true }).click();
  await expect.element(heading("No posts yet")).toBeVisible();
  await page.getByRole("link", { name: "Generator", exact: true }).first().click();
  await expect.element(heading("From your last visit")).toBeVisible();
  await expect.element(page.getByText("You left the page early. What was written until then is below.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Rewrite" })).not.toBeInTheDocument();
  await expect.element(topic).toHaveValue("Voices");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect.element(page.getByText("The post appears here, word by word.")).toBeVisible();
});

test("says that nothing was written when generation stops at once", async () => {
  await open();
  model();
  await topic.fill("Voices");
  await write.click();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect.element(page.getByText("Nothing was written yet.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Discard" })).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("says which step failed and why, with the model server's message", async () => {
  await open();
  await topic.fill("Voices");
  answer({ "POST /admin/blog/generate": refusal(502, "chatFailed") });
  await write.click();
  const alert = page.getByRole("alert");
  await expect
    .element(alert)
    .toMatchTextContent(
      /^Failed to generate blog postThe language model gave an unusable answer\. Try again in a moment\.The server’s answer: chatFailedTry again$/,
    );
  answer({ "POST /admin/blog/generate": refusal(429, "tooManyRequests") });
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect.element(alert.getByText("A post is already being written for you, perhaps in another tab.")).toBeVisible();
  answer({ "POST /admin/blog/generate-unique": refusal(422, "noNewTopic") });
  await surprise.click();
  await expect.element(alert).toMatchTextContent(/^Failed to generate unique blog postThe language model found no topic/);
  answer({ "POST /admin/blog/generate": { nonsense: true } });
  await write.click();
  await expect.element(alert).toMatchTextContent(/^Failed to generate blog postSomething went wrong on the server/);
});

test("generates a post about a surprise topic, and saves the draft at the second attempt", async () => {
  await open(stats(), "/admin/blog/generator");
  const { asked, send } = model("generate-unique");
  await surprise.click();
  send({ step: "choosing" });
  await expect.element(page.getByText("Looking for a topic that the blog hasn’t covered…")).toBeVisible();
  await expect.element(surprise).toHaveAttribute("aria-busy", "true");
  await expect.element(write).toBeDisabled();
  answer({ "POST /admin/blog": refusal(500, "internal") });
  send({ post: whole });
  const alert = page.getByRole("alert");
  await expect
    .element(alert)
    .toMatchTextContent(
      /^Failed to create blog postSomething went wrong on the server.*The text is stored in this browser\. Nothing is lost\./,
    );
  await expect.element(heading("Couldn’t save the draft")).toBeVisible();
  answer({
    "POST /admin/blog": Response.json(post({ id: "p9" }), { status: 201 }),
    "GET /admin/blog/:id": post({ id: "p9" }),
    "GET /admin/blog/slug": { slug: "x", free: true },
  });
  await page.getByRole("button", { name: "Save again" }).click();
  await expect.poll(() => location.pathname + location.search).toBe("/admin/blog/editor?id=p9");
  await expect.element(page.getByRole("textbox", { name: "Title" })).toHaveValue("Lantern One");
  expect(asked).toEqual([{ hint: "", tone: "friendly", language: "en", length: "medium", audience: "" }]);
});

test("explains how to set up a language model when the server has none", async () => {
  await open(stats({ available: false, model: null, suggestions: [{ kind: "begin" }] }));
  await expect.element(heading("No language model is set up on this server")).toBeVisible();
  for (const line of ["LLM_API_URL=https://api.openai.com/v1", "http://localhost:11434/v1", "vLLM, on the same machine"])
    await expect.element(page.getByText(line)).toBeVisible();
  await expect.element(write).toBeDisabled();
  await expect.element(surprise).toBeDisabled();
  await expect.element(page.getByText("There are no posts yet: every topic is new.")).toBeVisible();
  await expect.element(page.getByText("Write the first post.")).toBeVisible();
});

test("shows how varied the blog is, and suggests improvements", async () => {
  await open(
    stats({
      ...{ posts: 1_200, published: 1_000, generated: 900, manual: 300, topicsTotal: 40, evenness: 0.456, comparedTitles: 200 },
      topics: [{ topic: "notes", count: 600, share: 0.5 }],
      languages: [{ language: "de", count: 300 }],
      similar: { first: { id: "a", title: "One" }, second: { id: "b", title: "Two" }, similarity: 0.87 },
      neglected: [{ topic: "letters", lastAt: "2026-03-01T12:00:00.000Z" }],
      suggestions: [
        { kind: "neglected", topic: "letters", days: 40 },
        { kind: "dominant", topic: "notes", share: 0.5 },
        { kind: "similar" },
        { kind: "untagged", count: 1_000 },
        { kind: "oneLanguage", language: "de" },
        { kind: "mostlyGenerated", share: 0.75 },
      ],
    }),
  );
  const part = page.getByRole("region", { name: "Topic variety" });
  await expect.element(part.getByText("Model: small-model")).toBeVisible();
  expect(textsOf(part.getByRole("definition"))).toEqual(["1,200", "1,000", "900", "300"]);
  await expect.element(part.getByText("46%")).toBeVisible();
  expect(textsOf(part.getByRole("row"))).toEqual([
    "Topic Posts Share of posts",
    "notes 600 50%",
    "Language Posts Share of posts",
    "German 300 25%",
    "Topic Last post",
    "letters 1 March 2026",
  ]);
  await expect.element(part.getByText("The 1 most frequent of 40.")).toBeVisible();
  await expect.element(part.getByText("87% similar, of the latest 200 titles")).toBeVisible();
  expect(textsOf(part.getByRole("listitem"))).toEqual([
    "Write about “letters” again. The last post was 40 days ago.",
    "“notes” is in 50% of all posts. Try another topic.",
    "Two titles are nearly the same. Change one of them.",
    "Posts without a topic: 1,000. Readers who filter by topic won’t find them.",
    "All posts are in one language (German). Another language would reach more people.",
    "The model wrote 75% of all posts. Write one yourself.",
    "One",
    "Two",
  ]);
  await part.getByRole("button", { name: "Use as topic: letters" }).click();
  await expect.element(topic).toHaveValue("letters");
});

test("says that the diversity numbers can't be fetched, and fetches them on retry", async () => {
  answer({ "GET /admin/blog/diversity-stats": refusal(500, "internal"), "GET /admin/blog": listOf([]) });
  await openPage("/blog/admin/generator", { as: "superuser" });
  await expect.element(page.getByText("Failed to fetch diversity stats")).toBeVisible();
  const slow = holdAnswer();
  answer({ "GET /admin/blog/diversity-stats": slow.answer });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByText("Loading the numbers…")).toBeVisible();
  slow.give({ ...stats() });
  await expect.element(page.getByText("There are no posts yet: every topic is new.")).toBeVisible();
  await expect.element(page.getByText("Failed to fetch diversity stats")).not.toBeInTheDocument();
});
