import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvText } from "#contract/csv.ts";
import { cuesOf } from "#contract/exports/subtitles/cues.ts";
import { asSubRip, asWebVtt } from "#contract/exports/subtitles/formats.ts";
import { asText } from "#contract/exports/text-file.ts";
import { joinedText, type Passage, regroupedSegments, type Segment, type Transcription, usualLook } from "#contract/index.ts";
import { normalForm } from "#contract/normal-form.ts";
import { escaped, jsonInScript } from "#contract/rendering.ts";
import { digestOf, plainText } from "#server/blog/plain-text.ts";
import { slugOf } from "#server/blog/slugs.ts";
import { flattened, thinned } from "#server/blog/tame-markdown.ts";
import { labelsFor } from "#server/exports/labels.ts";
import { withoutSecretsIn } from "#server/log/log.ts";
import { renderEmail } from "#server/mail/emails.ts";
import { feedHtml } from "#server/page/feed-html.ts";
import { parseSegments } from "#server/transcription/segments-json.ts";
import { findNumbers } from "#speech/written/numbers/numbers.ts";
import { prepareReplacements } from "#speech/written/replacements.ts";
import { rewritten } from "#speech/written/rewrite.ts";
import { write } from "#speech/written/write.ts";
import { fuzz, hostileText, runs } from "#tests/fixtures/fuzz.ts";

const spokenWords = fc.constantFrom(
  "one",
  "twenty",
  "hundred",
  "point",
  "We",
  "speak,",
  "a.b",
  "…",
  "C++",
  "–",
  "½",
  "日本語",
  "ไทย",
  "naïve",
  "e\u0301",
);
const line = fc.oneof(
  { weight: 4, arbitrary: fc.array(spokenWords, { minLength: 1, maxLength: 8 }).map((all) => all.join(" ")) },
  { weight: 1, arbitrary: hostileText },
);

/** Segments as engines and people make them: in order, with words of the text or without words. */
const segments: fc.Arbitrary<Segment[]> = fc
  .array(
    fc.record({
      text: line,
      length: fc.nat(30_000).map((ms) => ms / 1000),
      timed: fc.boolean(),
      speaker: fc.option(hostileText),
      translation: fc.option(line),
    }),
    { maxLength: 6 },
  )
  .map((rows) => {
    let at = 0;
    return rows.map(({ text, length, timed, speaker, translation }) => {
      const parts = text.split(" ").filter((part) => part !== "");
      const step = length / Math.max(1, parts.length);
      const start = at;
      at += length;
      const words = timed ? parts.map((part, i) => ({ text: part, start: start + i * step, end: start + (i + 1) * step })) : [];
      const named = speaker === null ? {} : { speaker: speaker.slice(0, 80) };
      return { start, end: at, text, words, ...named, ...(translation === null ? {} : { translation }) };
    });
  });

const transcription = segments.map(
  (all): Transcription => ({
    id: "x",
    title: "",
    text: all.map(({ text }) => text).join(" "),
    translatedText: "",
    sourceLanguage: "en",
    targetLanguage: "es",
    date: "2026-03-01T10:00:00.000Z",
    status: "completed",
    origin: "upload",
    durationSeconds: 60,
    hasAudio: false,
    progress: null,
    error: null,
    fileName: null,
    engine: null,
    segments: all,
  }),
);

const bare = (text: string) => text.replace(/\s+/g, "");
/** Names of the tags in HTML. */
const tags = (html: string) => [...html.matchAll(/<\/?([a-z][\w-]*)/gi)].map(([, name = ""]) => name.toLowerCase());

const markdown = fc
  .array(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.constantFrom(
          "# ",
          "> ",
          "- ",
          "1. ",
          "*",
          "_",
          "`",
          "```",
          "[",
          "](",
          ")",
          "![",
          "<",
          ">",
          "&lt;",
          "\n",
          "\n\n",
          "| a | b |\n|--|--|\n",
          "javascript:alert(1)",
          "https://example.org",
          "data:text/html,x",
          "<script>",
          "<img src=x onerror=alert(1)>",
          "<b onclick=x>",
          "&#106;",
          "~~",
          "[^1]",
          "    ",
          "\\",
          "www.a.b",
        ),
      },
      { weight: 1, arbitrary: hostileText },
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

describe(`texts (seed ${fuzz.seed})`, () => {
  test("renders Markdown for feeds without scripts, event handlers and addresses outside of the web", () => {
    const harmless =
      /^(p|h[1-6]|a|img|em|strong|del|code|pre|ul|ol|li|blockquote|hr|br|table|thead|tbody|tr|th|td|section|sup|input|div|span)$/;
    fc.assert(
      fc.property(markdown, (text) => {
        const html = feedHtml(text, "https://parlance.example/blog/x");
        expect(tags(html).filter((name) => !harmless.test(name))).toEqual([]);
        expect(html).not.toMatch(/<[^>]*\son\w+\s*=|(?:href|src)="(?!https?:|mailto:|#|"|xmpp:|irc)/i);
        expect(typeof plainText(text) + typeof thinned(text) + typeof flattened(text)).toBe("stringstringstring");
        expect(digestOf(text)).toBeDefined();
      }),
      runs(150),
    );
    fc.assert(
      fc.property(hostileText, (title) => void expect(slugOf(title)).toMatch(/^[\p{L}\p{N}\p{M}-]*$/u)),
      runs(300),
    );
  });

  test("escapes any text for HTML, XML, scripts and logs", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(escaped(text)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
        expect(jsonInScript({ text })).not.toMatch(/[<>\u2028\u2029]/);
        expect(JSON.parse(jsonInScript({ text }))).toEqual({ text });
        expect(typeof withoutSecretsIn(text)).toBe("string");
      }),
      runs(500),
    );
  });

  test("writes CSV from which the same cells are read, none of them a formula", () => {
    const cell = fc.oneof(hostileText, fc.constantFrom("=1+1", "+1", "-1", "@x", "\t=1", " =1", '"', ",", "\r\n", "\n=1"));
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }), (rows) => {
        const read = parseCsv(csvText(rows));
        expect(read.map((row) => row.map((text) => text.replace(/^'/, "")))).toEqual(
          rows.map((row) => row.map((text) => (/^\s*[=+\-@\t\r\n]/.test(text) ? text : text.replace(/^'/, "")))),
        );
        expect(read.flat().filter((text) => /^\s*[=+\-@]/.test(text))).toEqual([]);
      }),
      runs(300),
    );
  });

  test("writes one valid subtitle for each cue, whatever speakers and texts contain", () => {
    const labels = labelsFor("en");
    fc.assert(
      fc.property(transcription, fc.constantFrom("original", "translation", "both"), (whole, content) => {
        const cues = cuesOf(whole, { labels, content, names: true, look: usualLook });
        for (const [i, { start, end }] of cues.entries()) {
          expect(end).toBeGreaterThanOrEqual(start);
          expect(start).toBeGreaterThanOrEqual(cues[i - 1]?.start ?? 0);
        }
        const blocks = asSubRip(whole, { labels, content, look: usualLook })
          .split("\n\n")
          .filter((block) => block.trim() !== "");
        expect(blocks.length).toBe(cues.length);
        for (const [i, block] of blocks.entries())
          expect(block.trimStart()).toMatch(new RegExp(`^${i + 1}\\n\\d\\d+:\\d\\d:\\d\\d,\\d{3} --> [^\\n]+\\n`));
        const [head, ...named] = asWebVtt(whole, { labels, content, look: usualLook })
          .split("\n\n")
          .filter((block) => block.trim() !== "");
        expect(head?.trimEnd()).toBe("WEBVTT");
        expect(named.every((block) => /^\n?\d\d+:\d\d:\d\d\.\d{3} --> /.test(block))).toBe(true);
        asText(whole, labels);
      }),
      runs(150),
    );
  });

  test("parses stored segments to the same values", () => {
    fc.assert(
      fc.property(segments, (all) => {
        expect(parseSegments(JSON.stringify(all))).toEqual(JSON.parse(JSON.stringify(all)));
      }),
      runs(100),
    );
  });

  test("replacements keep the rest of the text and the times of the segments", async () => {
    const replacement = fc.record({ heard: fc.oneof(spokenWords, line), written: fc.oneof(spokenWords, hostileText) });
    const punctuator = { punctuate: async (text: string) => text };
    await fc.assert(
      fc.asyncProperty(fc.array(replacement, { maxLength: 4 }), segments, async (replacements, all) => {
        const replace = prepareReplacements(replacements);
        for (const { text } of all) {
          let end = 0;
          for (const { from, to } of [...replace(text)]) {
            expect(from).toBeGreaterThanOrEqual(end);
            expect(to).toBeGreaterThan(from);
            end = to;
          }
          expect(end).toBeLessThanOrEqual(text.length);
        }
        const written = await write(all, { replace, language: "en", punctuator, person: "ann" });
        expect(written.length).toBe(all.length);
        for (const [i, { start, end, words }] of written.entries()) {
          expect([start, end]).toEqual([all[i]?.start, all[i]?.end]);
          expect(words.every((word) => word.end >= word.start)).toBe(true);
        }
      }),
      runs(100),
    );
    fc.assert(
      fc.property(segments, (all) => {
        for (const segment of all) rewritten(segment, findNumbers(segment.text));
      }),
      runs(200),
    );
  });

  test("dividing and merging passages loses no letter and keeps times in order", () => {
    fc.assert(
      fc.property(segments, fc.nat(), fc.nat(3), fc.array(fc.nat(40), { maxLength: 3 }), (all, at, more, cuts) => {
        if (all.length === 0) return;
        const index = at % all.length;
        const taken = all.slice(index, index + 1 + more);
        const text = joinedText(taken.map((segment) => segment.text));
        const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length];
        const parts = places.slice(1).map((end, i) => text.slice(places[i], end));
        // A passage can't be empty.
        const passages = parts.filter((part) => part.trim() !== "").map((part): Passage => ({ text: part, speaker: null }));
        if (passages.length === 0) return;
        const after = regroupedSegments(all, [{ index, count: taken.length, passages }], (segment, other) => ({
          ...segment,
          text: other,
        }));
        expect(after.length).toBe(all.length - taken.length + passages.length);
        expect(bare(after.map((segment) => segment.text).join(""))).toBe(bare(all.map((segment) => segment.text).join("")));
        expect(after.every(({ start, end }) => end >= start)).toBe(true);
      }),
      runs(300),
    );
  });

  test("a name in a mail stays text and adds no header line", async () => {
    const options = {
      recipient: "a@example.org",
      language: "en",
      link: "https://parlance.example/x",
      page: "https://parlance.example",
    } as const;
    const plain = tags((await renderEmail("confirm", { ...options, name: "Ada" })).html);
    await fc.assert(
      fc.asyncProperty(hostileText, async (name) => {
        const { html, subject } = await renderEmail("confirm", { ...options, name });
        expect(tags(html)).toEqual(plain);
        expect(subject).not.toMatch(/[\r\n]/);
      }),
      runs(100),
    );
  });
});

/** Parses CSV by RFC 4180, as spreadsheets do. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  while (at < text.length) {
    const quoted = /"((?:[^"]|"")*)"/y;
    const plain = /[^,\r\n]*/y;
    const pattern = text[at] === '"' ? quoted : plain;
    pattern.lastIndex = at;
    const [whole = "", inner] = pattern.exec(text) ?? [];
    rows.at(-1)?.push(inner === undefined ? whole : inner.replaceAll('""', '"'));
    at += whole.length;
    if (text[at] === ",") at += 1;
    else {
      at += 2;
      if (at < text.length) rows.push([]);
    }
    if (text[at - 1] === "," && at >= text.length) rows.at(-1)?.push("");
  }
  return rows;
}

test("normalizing keeps at most thirty marks of a letter and all marks of real words", () => {
  const marks = "\u0301\u0316".repeat(200_000);
  expect([...normalForm(`a${marks} ｶ${"\uff9e\u0301".repeat(200_000)}`, "NFKD")].length).toBe(31 + 1 + 31);
  fc.assert(
    fc.property(hostileText, (text) => {
      const isLong = /[\p{M}\uff9e\uff9f]{31}/u.test(text);
      expect(isLong || normalForm(text, "NFC") === text.normalize("NFC")).toBe(true);
    }),
    runs(200),
  );
});
