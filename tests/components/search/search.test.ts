import { expect, test } from "vitest";
import type { SearchAnswer, SearchHit } from "#contract/index.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { answer, holdAnswer, lost, openPage, openStream, page, refusal, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";

const searching = "GET /api/v1/audio-transcriptions/search";
const asking = "POST /api/v1/audio-transcriptions/search/answer";
const main = page.getByRole("main");
const status = main.getByRole("status").first();
const field = page.getByLabelText("Search");
const button = (name: string) => main.getByRole("button", { name, exact: true });
const links = main.getByRole("list", { name: "Passages" }).getByRole("link");
const model = { name: "Mistral", host: "llm.example", offline: false };

const hit = (parts: Partial<SearchHit> = {}): SearchHit => ({
  id: "talk",
  title: "A talk",
  date: "2026-03-01T10:00:00.000Z",
  language: "en",
  speaker: "2",
  start: 61,
  end: 64,
  text: "The harbour is old.",
  marks: [[4, 11]],
  translation: null,
  isTitle: false,
  ...parts,
});

/**
 * Answers each search with the next of these answers, and repeats the last one.
 * @returns the queries without their limit
 */
function find(...answers: (Partial<SearchAnswer> | Response)[]): Record<string, string>[] {
  const asked: Record<string, string>[] = [];
  answer({
    [searching]: ({ request }) => {
      const { limit, ...query } = Object.fromEntries(new URL(request.url).searchParams);
      asked.push(query);
      const next = answers[Math.min(asked.length, answers.length) - 1] ?? {};
      if (next instanceof Response) return next;
      return { hits: [], total: next.hits?.length ?? 0, hasMore: false, matched: "all", behind: 0, model: null, ...next };
    },
  });
  return asked;
}

/** Each test has its own user, because the page restores a user's last search. */
const open = (path = "/search") => openPage(path, { profile: { id: crypto.randomUUID() } });

test("counts, marks and links the passages found, and keeps the query in the address", async () => {
  const asked = find({
    hits: [
      hit({ translation: { text: "El puerto es viejo.", marks: [[3, 9]] } }),
      hit({ id: "old", title: "Old harbours", speaker: null, start: null, language: "auto", isTitle: true, marks: [[4, 12]] }),
      hit({ id: "call", title: "", speaker: "Ada" }),
    ],
    total: 1_234,
    hasMore: true,
  });
  await open();
  await field.fill(" harbour ");
  await userEvent.keyboard("{Enter}");
  await expect.element(status).toHaveTextContent("1,234+ results found.");
  expect(location.search).toBe("?q=harbour");
  expect(asked).toEqual([{ q: "harbour", page: "1" }]);
  expect(textsOf(links)).toEqual(["A talk", "Old harbours", expect.stringContaining("2026")]);
  await expect.element(links.first()).toHaveAccessibleName("A talk: play from 1:01");
  await expect.element(links.first()).toHaveAttribute("href", "/transcription/talk?at=61&find=harbour");
  await expect.element(links.nth(1)).toHaveAttribute("href", "/transcription/old");
  const items = textsOf(main.getByRole("list", { name: "Passages" }).getByRole("listitem"));
  expect(items[0]).toMatch(/1:01\s*Speaker 2.*2026.*English/);
  expect(items[1]).not.toMatch(/1:01|Speaker|English/);
  expect(items[2]).toContain("Ada");
  expect([...document.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual([
    "harbour",
    "puerto",
    "harbours",
    "harbour",
  ]);
});

test("restores the search after two Back steps at once", async () => {
  find({ hits: [hit()] });
  await open("/search?q=harbour");
  for (const q of ["tide", "ebb"]) {
    await pageRouter().navigate({ to: "/search", search: { q } });
    await expect.element(field).toHaveValue(q);
    await expect.element(status).toHaveTextContent("1 result found.");
  }
  history.back();
  history.back();
  await expect.element(field).toHaveValue("harbour");
});

test("narrows a search by language and whole days, and shows more passages on request", async () => {
  const more = { hits: [hit({ start: 70 })], total: 21 };
  const asked = find({ hits: [hit()], total: 21, hasMore: true }, refusal(500, "internal"), more);
  await open("/search?q=harbour&language=en&from=2026-03-01&to=2026-03-02");
  await expect.element(links).toHaveLength(1);
  const set = main.getByRole("list", { name: "Active filters" }).getByRole("listitem");
  expect(textsOf(set)).toEqual(["English", "From 1 March 2026", "To 2 March 2026"]);
  await main.getByText("Filter (3)").click();
  await expect.element(main.getByLabelText("Language")).toHaveValue("en");
  const offered = textsOf(main.getByLabelText("Language").getByRole("option"));
  expect([offered[0], ...offered.filter((name) => /^(English|German)/.test(name))]).toEqual([
    "Any language",
    "English",
    "German",
  ]);
  // The fields don't allow the first day after the last one.
  await expect.element(main.getByLabelText("From", { exact: true })).toHaveAttribute("max", "2026-03-02");
  await expect.element(main.getByLabelText("To", { exact: true })).toHaveAttribute("min", "2026-03-01");
  const narrowed = { q: "harbour", language: "en", from: "2026-02-28T23:00:00.000Z", to: "2026-03-02T23:00:00.000Z" };
  await button("Show more").click();
  await expect.element(main.getByRole("alert")).toBeVisible();
  await button("Try again").click();
  await expect.poll(() => textsOf(links)).toHaveLength(2);
  await expect.element(button("Show more")).not.toBeInTheDocument();
  expect(asked).toEqual([
    { ...narrowed, page: "1" },
    { ...narrowed, page: "2" },
    { ...narrowed, page: "2" },
  ]);
  await main.getByText("Filter (3)").click();
  await main.getByLabelText("Language").selectOptions("");
  await main.getByLabelText("From", { exact: true }).fill("");
  await userEvent.keyboard("{Escape}");
  await button("Remove To 2 March 2026").click();
  await expect.element(field).toHaveFocus();
  await expect.poll(() => asked.at(-1)).toEqual({ q: "harbour", page: "1" });
  expect(location.search).toBe("?q=harbour");
});

test("says why a search found nothing, only some of the words, or failed", async () => {
  const held = holdAnswer();
  answer({ [searching]: held.answer });
  await open("/search?q=harbour");
  await expect.element(status).toHaveTextContent("Searching…");
  held.give({ hits: [], total: 0, hasMore: false, matched: "all", behind: 2, model: null });
  await expect.element(status).toHaveTextContent("No results");
  await expect.element(main.getByText("Try different words, or remove the language and date filters.")).toBeVisible();
  await expect.element(main.getByText("2 recordings can’t be searched yet")).toBeVisible();
  find({ hits: [hit()], matched: "any" }, lost());
  await button("Search again").click();
  await expect.element(status).toHaveTextContent("1 result found. No passage has all of the words. These have some of them.");
  await expect.element(main.getByRole("region", { name: "Answer" })).not.toBeInTheDocument();
  await userEvent.click(field);
  await userEvent.keyboard("{Enter}");
  await expect.element(main.getByRole("alert")).toBeVisible();
});

test("streams an answer to a question with links to its passages, and closes it", async () => {
  find({ hits: [hit()], model });
  const stream = openStream();
  const questions: unknown[] = [];
  answer({
    [asking]: async ({ request }) => {
      questions.push(await request.json());
      return stream.response;
    },
  });
  await open("/search?q=how old&language=en");
  await expect.element(main.getByText("The best passages are sent to Mistral at llm.example")).toBeVisible();
  await button("Get an answer").click();
  const article = main.getByRole("article");
  await expect.element(article.getByRole("status")).toHaveTextContent("The model is writing…");
  const point = { text: "It is old.", passages: [hit()] };
  stream.send("point", { point });
  await expect.element(article).toMatchTextContent("It is old.");
  await expect.element(article.getByRole("link")).toHaveAttribute("href", "/transcription/talk?at=61&find=harbour");
  stream.send("answered", { answered: { points: [point], omitted: 1, read: 3 } });
  await expect.element(article.getByRole("status")).toMatchTextContent(/on 3 passages\..* 1 sentence without a source/);
  expect(questions).toEqual([{ question: "how old", language: "en" }]);
  await article.getByRole("button", { name: "Close the answer" }).click();
  await expect.element(article).not.toBeInTheDocument();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
});

test("stops an answer, and says when the model can be asked again", async () => {
  find({ hits: [hit()], model: { ...model, offline: true } });
  answer({ [asking]: () => openStream().response });
  await open("/search?q=how old");
  await expect.element(main.getByText("on this server’s own machine (llm.example)")).toBeVisible();
  await button("Get an answer").click();
  await button("Stop").click();
  await expect.element(main.getByRole("article").getByRole("status")).toHaveTextContent("Stopped early.");
  answer({ [asking]: refusal(429, "tooManyRequests", { "Retry-After": "600" }) });
  await button("Get an answer").click();
  await expect
    .element(main.getByRole("alert"))
    .toMatchTextContent(/the hourly limit for questions to the language model\. You can ask again at/);
});
