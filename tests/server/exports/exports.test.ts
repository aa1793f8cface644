import { describe, expect, test } from "vitest";
import type { Segment } from "#contract/index.ts";
import { base, type Person, refusal, signUp, startTestServer } from "#tests/server/harness.ts";
import { segment } from "#tests/server/jobs/scripted.ts";
import { change, type Draft, save } from "#tests/server/transcription/saved.ts";
import { unzipped, xmlProblems } from "#tests/server/zip.ts";

async function exporting(draft: Draft) {
  const person = await signUp(await startTestServer());
  const { id } = await save(person, draft);
  return { person, id, exported: (format: string, query = "") => fetchExport(person, id, `${format}${query}`) };
}

async function fetchExport(person: Person, id: string, query: string) {
  const answer = await person.call("GET", `${base}/transcription/${id}/export?format=${query}`);
  return {
    body: Buffer.from(await answer.arrayBuffer()),
    type: answer.headers.get("Content-Type"),
    name: answer.headers.get("Content-Disposition"),
  };
}

const spoken: Segment[] = [
  { ...segment("good morning", 0, 1), speaker: "1" },
  { ...segment("how are you", 1, 2), speaker: "1" },
  { ...segment("fine thanks", 3661, 3662), speaker: "Anna <b>" },
  segment("and who is this", 3663, 3664),
];
/** A conversation between an English and an Arabic speaker. */
const turns: Segment[] = [
  { ...segment("good morning", 0, 1), translation: "صباح الخير" },
  { ...segment("شكرا لك", 2, 3), language: "ar", translationLanguage: "en", translation: "thank you" },
];

describe("speakers in exports", () => {
  test("names the speaker where it changes in text and SRT, and on each cue in WebVTT", async () => {
    const { exported } = await exporting({ segments: spoken });
    expect((await exported("txt")).body.toString()).toBe(
      "Speaker 1: good morning\nhow are you\nAnna <b>: fine thanks\nand who is this\n" +
        "\nTalk time: Speaker 1 0:02 (67%), Anna <b> 0:01 (33%)\n",
    );
    expect(
      (await exported("srt")).body
        .toString()
        .split("\n\n")
        .map((cue) => cue.split("\n")[2]),
    ).toEqual(["Speaker 1: good morning", "how are you", "Anna <b>: fine thanks", "and who is this"]);
    expect(
      (await exported("vtt")).body
        .toString()
        .split("\n\n")
        .slice(1)
        .map((cue) => cue.split("\n")[1]),
    ).toEqual(["<v Speaker 1>good morning", "<v Speaker 1>how are you", "<v Anna &lt;b&gt;>fine thanks", "and who is this"]);
    expect(JSON.parse((await exported("json")).body.toString())).toMatchObject({ segments: spoken });
  });

  // PROMISE speech: A transcript says who spoke, and how long
  test("exports each speaker's talk time in text, Word and JSON when there are several", async () => {
    const { exported } = await exporting({ segments: spoken });
    expect((await exported("txt", "&lng=de")).body.toString()).toMatch(
      /\n\nRedezeit: Sprecher 1 0:02 \(67\s%\), Anna <b> 0:01 \(33\s%\)\n$/,
    );
    const document = String(unzipped((await exported("docx")).body).get("word/document.xml"));
    expect(document).toContain("Talk time: Speaker 1 0:02 (67%), Anna &lt;b&gt; 0:01 (33%)");
    expect(JSON.parse((await exported("json")).body.toString())).toMatchObject({
      speakers: [
        { speaker: "1", seconds: 2 },
        { speaker: "Anna <b>", seconds: 1 },
      ],
    });
    for (const format of ["srt", "vtt"]) expect((await exported(format)).body.toString()).not.toContain("Talk time");
    const alone = await exporting({ segments: spoken.slice(0, 2) });
    expect((await alone.exported("txt")).body.toString()).toBe("Speaker 1: good morning\nhow are you\n");
    expect(String(unzipped((await alone.exported("docx")).body).get("word/document.xml"))).not.toContain("Talk time");
  });

  test("names speakers in the interface's language, and in English when that is unknown", async () => {
    const { exported } = await exporting({ segments: spoken });
    expect((await exported("txt", "&lng=de")).body.toString()).toContain("Sprecher 1: good morning");
    expect((await exported("txt", "&lng=tlh")).body.toString()).toContain("Speaker 1: good morning");
  });

  test("renaming the speaker of some segments keeps texts, times and translations", async () => {
    const { person, id } = await exporting({
      segments: spoken.map((own) => ({ ...own, translation: "x" })),
      targetLanguage: "es",
    });
    const named = await change(person, id, {
      speakers: [
        { name: " Berta ", segments: [0, 1] },
        { name: null, segments: [2] },
      ],
    });
    expect(named.segments.map(({ speaker }) => speaker)).toEqual(["Berta", "Berta", undefined, undefined]);
    expect(named.segments.map(({ text, words, translation }) => [text, words.length, translation])).toEqual(
      spoken.map(({ text, words }) => [text, words.length, "x"]),
    );
    const corrected = await change(person, id, {
      edits: [{ index: 1, text: "how are you all" }],
      speakers: [{ name: "Carl", segments: [1] }],
    });
    expect(corrected.segments[1]).toMatchObject({ text: "how are you all", speaker: "Carl" });
    expect(corrected.segments[0]).toEqual(named.segments[0]);
  });

  test.each([
    ["an unknown segment", { speakers: [{ name: "Anna", segments: [9] }] }],
    ["an empty name", { speakers: [{ name: "  ", segments: [0] }] }],
    ["a name above 80 letters", { speakers: [{ name: "a".repeat(81), segments: [0] }] }],
  ])("refuses a change of speakers with %s", async (_, update) => {
    const { person, id } = await exporting({ segments: spoken });
    expect(await refusal(await person.call("PUT", `/audio/remove-transcription/${id}`, update))).toBe("400 badRequest");
  });
});

describe("export of a conversation", () => {
  test("keeps each side's language when a passage of a conversation is corrected", async () => {
    const { person, id } = await exporting({ segments: turns, targetLanguage: "ar" });
    const after = await change(person, id, { edits: [{ index: 1, text: "شكرا" }] });
    expect(after.segments[1]).toMatchObject({ text: "شكرا", language: "ar", translationLanguage: "en" });
  });

  test("shows a typed passage without a length for as long as it takes to read", async () => {
    const { exported } = await exporting({ segments: [{ ...segment("good morning to all of you", 2, 2), words: [] }] });
    expect((await exported("srt")).body.toString()).toContain("00:00:02,000 --> 00:00:03,529");
  });

  test("names each side's language in text and marks it in WebVTT", async () => {
    const { exported } = await exporting({ segments: turns, targetLanguage: "ar" });
    expect((await exported("txt")).body.toString()).toBe("English: good morning\n→ صباح الخير\n\nArabic: شكرا لك\n→ thank you\n");
    expect((await exported("vtt")).body.toString()).toContain("<lang ar>شكرا لك</lang>\n<lang en>thank you</lang>");
  });
});

describe("Word export", () => {
  const parts = async (draft: Draft, query = "") => {
    const { exported } = await exporting(draft);
    const { body, type, name } = await exported("docx", query);
    const files = unzipped(body);
    return { files, document: files.get("word/document.xml") ?? "", type, name };
  };
  const texts = (document: string) => [...document.matchAll(/<w:t[^>]*>([^<]*)<\/w:t>/g)].map(([, text]) => text);

  test("a Word document has the title, the facts and each segment with its time and speaker", async () => {
    const { files, document, type, name } = await parts({ title: "Tee & Kekse", segments: spoken });
    expect(type).toBe("application/vnd.openxmlformats-officedocument.wordprocessingml.document");
    expect(name).toContain('filename="Tee & Kekse.docx"');
    expect(texts(document)).toEqual([
      "Tee &amp; Kekse",
      expect.stringMatching(/^Date: March 1, 2026/),
      "Length: 1:01:04",
      "Spoken language: English",
      ...[
        "Talk time: Speaker 1 0:02 (67%), Anna &lt;b&gt; 0:01 (33%)",
        "0:00",
        "Speaker 1: ",
        "good morning",
        "0:01",
        "Speaker 1: ",
        "how are you",
      ],
      ...["1:01:01", "Anna &lt;b&gt;: ", "fine thanks", "1:01:03", "and who is this"],
    ]);
    expect([...files.keys()]).toEqual(expect.arrayContaining(["[Content_Types].xml", "_rels/.rels", "word/styles.xml"]));
    for (const [file, text] of files) expect([file, xmlProblems(text)]).toEqual([file, []]);
    expect(document).toContain('w:val="en"');
  });

  test("a Word document has the translation in a column, from right to left where needed", async () => {
    const { files, document } = await parts({ segments: turns, targetLanguage: "ar" }, "&lng=de");
    expect(texts(document).slice(-9)).toEqual([
      "Zeit",
      "Original",
      "Übersetzung",
      "0:00",
      "good morning",
      "صباح الخير",
      "0:02",
      "شكرا لك",
      "thank you",
    ]);
    const cells = document.split("<w:tc>").slice(-6);
    expect(cells.map((cell) => [cell.includes("<w:bidi/>"), cell.includes("<w:rtl/>")])).toEqual([
      [false, false],
      [false, false],
      [true, true],
      [false, false],
      [true, true],
      [false, false],
    ]);
    expect(document).toContain('w:bidi="ar"');
    for (const [file, text] of files) expect([file, xmlProblems(text)]).toEqual([file, []]);
  });

  test.each([
    ["fr", /^Date\u00a0: 1er mars 2026/],
    ["pt-BR", /^Data: 1º de março de 2026/],
    ["es", /^Fecha: 1 de marzo de 2026/],
  ])("writes the first day of a month in a Word document as usual in %s", async (language, written) => {
    const { document } = await parts({ text: "hello" }, `&lng=${language}`);
    expect(texts(document)).toContainEqual(expect.stringMatching(written));
  });

  test("exports paragraphs of a text without times and leaves out characters that XML forbids", async () => {
    const { files, document } = await parts({ title: "a\u0001b", text: "first \u0000line\nsecond \ud800line" });
    expect(texts(document)).toEqual(expect.arrayContaining(["ab", "first line", "second \ufffdline"]));
    for (const [file, text] of files) expect([file, xmlProblems(text)]).toEqual([file, []]);
  });

  test("exporting three hours to Word does not hold up other requests", async () => {
    const long = Array.from({ length: 3_000 }, (_, i) =>
      segment("ten words are said here and then there is another", i * 3, i * 3 + 3),
    );
    const { person, exported } = await exporting({ segments: long });
    const made = exported("docx");
    let [answered, done] = [0, false];
    void made.then(() => {
      done = true;
    });
    for (; !done; answered++) await person.call("GET", "/health");
    expect(answered).toBeGreaterThan(5);
    expect(texts(unzipped((await made).body).get("word/document.xml") ?? "")).toHaveLength(4 + 3_000 * 2);
  });
});
