import { expect, test } from "vitest";
import type { Segment } from "#contract/index.ts";
import { Note } from "#contract/index.ts";
import { base, read, signUp, startTestServer } from "#tests/server/harness.ts";
import { segment } from "#tests/server/jobs/scripted.ts";
import { type Draft, save } from "#tests/server/transcription/saved.ts";

const talk: Segment[] = [
  {
    ...segment("good *morning*", 0, 2),
    speaker: "1",
    translation: "buenos <b>días</b>",
    words: [
      { text: "good", start: 0, end: 0.5 },
      { text: "*morning*", start: 0.5, end: 2 },
    ],
  },
  { ...segment("how are [you](x)", 65, 66), speaker: "1" },
  { ...segment("fine", 66, 67), speaker: "Anna <script>" },
];

async function begin(draft: Draft) {
  const person = await signUp(await startTestServer());
  const { id } = await save(person, draft);
  const exported = async (query: string) => {
    const answer = await person.call("GET", `${base}/transcription/${id}/export?format=${query}`);
    return { text: await answer.text(), headers: answer.headers };
  };
  const note = (body: object) =>
    person
      .call("PUT", `${base}/transcription/${id}/notes/${crypto.randomUUID()}`, {
        start: 0,
        end: 1,
        revision: 0,
        text: "",
        ...body,
      })
      .then((answer) => read(answer, 200, Note));
  return { exported, note };
}

// PROMISE exports: Exports are txt, srt, vtt, json, docx, pdf, Markdown and HTML
test("exports Markdown with times, speakers, translation and notes, and escapes Markdown signs", async () => {
  const { exported, note } = await begin({ title: "A # title", segments: talk, targetLanguage: "es" });
  await note({ start: 0.5, end: 2, colour: "yellow", text: "- ask *her*\nsoon" });
  await note({ start: 66, end: 67, colour: "blue" });
  const { text, headers } = await exported("md");
  expect(headers.get("Content-Type")).toBe("text/markdown; charset=utf-8");
  expect(headers.get("Content-Disposition")).toContain(".md");
  expect(text).toMatch(/^# A \\# title\n\n- \*\*Date\*\*: /);
  expect(text.slice(text.indexOf("**0:00"))).toBe(
    [
      "**0:00 Speaker 1:** good \\*morning\\*",
      "> buenos \\<b\\>días\\</b\\>",
      "**1:05** how are \\[you\\](x)",
      "**1:06 Anna \\<script\\>:** fine",
      "## Notes",
      "- **0:00–0:02** (yellow) “\\*morning\\*”",
      "  \\- ask \\*her\\*\n  soon",
      "- **1:06–1:07** (blue) “fine”\n",
    ].join("\n\n"),
  );
  expect((await exported("md&content=original&lng=de")).text).not.toContain("buenos");
  expect((await exported("md&lng=de")).text).toContain("## Notizen\n\n- **0:00–0:02** (Gelb)");
});

test("exports HTML that loads nothing, names its languages and escapes all texts", async () => {
  const { exported, note } = await begin({ title: "<img src=x onerror=alert(1)>", segments: talk, targetLanguage: "es" });
  await note({ end: 0.5, colour: "pink", text: "</div><script>alert(1)</script>" });
  const { text, headers } = await exported("html&lng=fr");
  expect(headers.get("Content-Disposition")).toContain(".html");
  // The browser saves the file and never shows it as a page of this server.
  expect(headers.get("Content-Type")).toBe("application/octet-stream");
  expect(text).toMatch(/^<!doctype html>\n<html lang="fr">/);
  expect(text).toContain("default-src 'none'");
  expect(text).toContain(
    '<p><time>0:00</time> <strong>Intervenant 1\u00a0:</strong> <span dir="auto" lang="en">good *morning*</span></p>',
  );
  expect(text).toContain('<p class="translation" dir="auto" lang="es">buenos &lt;b&gt;días&lt;/b&gt;</p>');
  expect(text).toContain('<blockquote dir="auto">good</blockquote>');
  const tags = new Set(text.match(/<[a-z!][^\s>]*/gi));
  expect([...tags].sort().join(" ")).toBe(
    "<!doctype <blockquote <body <div <h1 <h2 <head <html <li <meta <p <span <strong <style <time <title <ul",
  );
});

test("exports a text without segments in paragraphs", async () => {
  const { exported } = await begin({ title: "Bare", text: "1. one\nmore\n\ntwo & three", translatedText: "dos" });
  expect((await exported("md")).text).toContain("\n\n1\\. one\nmore\n\ntwo \\& three\n\ndos\n");
  expect((await exported("html")).text).toContain('<p class="note" dir="auto">1. one\nmore\n\ntwo &amp; three</p>');
});
