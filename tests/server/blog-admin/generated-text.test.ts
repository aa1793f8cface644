import { describe, expect, test } from "vitest";
import type { GeneratedHead } from "#contract/index.ts";
import { readGenerated } from "#server/blog-admin/generated-text.ts";
import { ideasIn } from "#server/blog-admin/prompts.ts";
import { mostSimilar, similarity } from "#server/blog-admin/similarity.ts";

/** Feeds an answer to the reader in pieces of `size` characters. */
function readIn(answer: string, size: number) {
  const heads: GeneratedHead[] = [];
  let streamed = "";
  const reader = readGenerated({
    title: "What was asked for",
    onHead: (head) => heads.push(head),
    onText: (text) => {
      streamed += text;
    },
  });
  for (let at = 0; at < answer.length; at += size) reader.feed(answer.slice(at, at + size));
  return { read: reader.end(), heads, streamed };
}

const head = { title: "Notes by voice", summary: "Why speaking is quicker.", topics: ["notes", "speech"] };
const fields = "title: Notes by voice\nsummary: Why speaking is quicker.\ntopics: notes, speech";
const body = "First words.\n\n## Why\n\n- one\n- two\n\n```js\nlet a;\n```";

describe("answer of a language model", () => {
  test.each([
    ["as asked for", `---\n${fields}\n---\n\n${body}`],
    ["with blanks about it", `\n\n---  \n${fields}\n---  \n\n\n${body}\n\n\n`],
    ["in a code fence", `\`\`\`markdown\n---\n${fields}\n---\n\n${body}\n\`\`\``],
    ["after a sentence", `Here is your post:\n\n---\n${fields}\n---\n${body}`],
    ["without the first hyphens", `${fields}\n---\n${body}`],
    ["without hyphens", `${fields}\n\n${body}`],
    ["with the title once more", `---\n${fields}\n---\n\n# Notes by voice\n\n${body}`],
    [
      "with quotes and a list",
      `---\ntitle: "Notes by voice"\nsummary: 'Why speaking\n  is quicker.'\ntopics:\n  - Notes\n  - "speech"\n---\n${body}`,
    ],
    [
      "with brackets and capitals",
      `---\nTitle: **Notes by voice**\nSummary: Why speaking is quicker.\nTags: [#Notes, Speech, notes]\n---\n${body}`,
    ],
  ])("parses an answer %s, however it is split into pieces", (_, answer) => {
    for (const size of [1, 2, 3, 7, 64, answer.length]) {
      const { read, heads, streamed } = readIn(answer, size);
      expect({ size, ...read }).toEqual({ size, head, content: body });
      expect(heads).toEqual([head]);
      expect(streamed.trim()).toBe(body);
    }
  });

  test("uses the first heading, or else the requested title, when the answer has no head", () => {
    expect(readIn("# A *heading*\n\nSome words.", 3).read).toMatchObject({ head: { title: "A heading", topics: [] } });
    expect(readIn("Just words.", 3).read).toEqual({
      head: { title: "What was asked for", summary: "", topics: [] },
      content: "Just words.",
    });
    const long = "Many words. ".repeat(100).trim();
    expect(readIn(long, 50)).toMatchObject({ read: { content: long }, streamed: long });
  });

  test("returns no post when the answer has no text", () => {
    for (const answer of ["", "\n\n", `---\n${fields}\n---\n`, "```\n```"]) {
      expect(readIn(answer, 4).read).toBeUndefined();
    }
  });

  test("cuts title, summary and topics to the limits of a post", () => {
    const topics = Array.from({ length: 30 }, (_, at) => `topic ${at}`).join(", ");
    const { read } = readIn(
      `---\ntitle: ${"long ".repeat(80)}\nsummary: ${"x".repeat(500)}\ntopics: ${topics}, ${"y".repeat(50)}\n---\nText`,
      30,
    );
    expect(read?.head.title.length).toBeLessThanOrEqual(200);
    expect(read?.head.title).toMatch(/long…$/);
    expect(read?.head.summary).toHaveLength(300);
    expect(read?.head.topics).toHaveLength(10);
  });
});

test("reads suggestions from lines of topic and title", () => {
  const answer =
    'Sure:\n1. Meetings | Minutes that write themselves\n- **dictation** | "How to dictate a letter"\n| radio | Old recordings |\n| | |\nnothing\n';
  expect(ideasIn(answer)).toEqual([
    { topic: "meetings", title: "Minutes that write themselves" },
    { topic: "dictation", title: "How to dictate a letter" },
    { topic: "radio", title: "Old recordings" },
  ]);
});

describe("similarity of titles", () => {
  test.each([
    ["the same", "Notes by voice", "Notes by voice", 1, 1],
    ["capitals, accents and marks", "Café: Notes by Voice!", "cafe notes by voice", 1, 1],
    ["other endings", "How to transcribe a meeting", "How to transcribe meetings", 0.7, 0.99],
    ["another order", "Meetings: how to transcribe", "How to transcribe meetings", 0.9, 1],
    ["the same kind of title on another subject", "How to transcribe a meeting", "How to translate a letter", 0.2, 0.6],
    ["nothing in common", "Notes by voice", "Gdansk", 0, 0.05],
    ["no letters", "…", "!", 0, 0],
    ["another alphabet", "Как записать встречу", "Как записать встречи", 0.7, 0.99],
  ])("measures the similarity of titles with %s", (_, first, second, least, most) => {
    const found = similarity(first, second);
    expect(found).toBe(similarity(second, first));
    expect(found).toBeGreaterThanOrEqual(least);
    expect(found).toBeLessThanOrEqual(most);
  });

  test("finds the most similar pair among hundreds of titles", () => {
    const titles = Array.from(
      { length: 500 },
      (_, at) => `Post ${at * 7919} about something ${String.fromCodePoint(97 + (at % 26)).repeat(5)} else`,
    );
    titles[100] = "Minutes that write themselves";
    titles[400] = "The minutes that write themselves";
    titles[10] = "Completely different words";
    const pair = mostSimilar(titles, (title) => title);
    expect(pair?.similarity).toBeGreaterThan(0.85);
    expect(mostSimilar(["one"], String)).toBeUndefined();
  });
});
