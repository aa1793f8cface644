import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { Segment } from "#contract/index.ts";
import { layOut } from "#server/exports/pdf/lines.ts";
import { base, refusal, signUp, startTestServer } from "#tests/server/harness.ts";
import { segment } from "#tests/server/jobs/scripted.ts";
import { type Draft, save } from "#tests/server/transcription/saved.ts";
import { unzipped } from "#tests/server/zip.ts";

async function exporting(draft: Draft) {
  const person = await signUp(await startTestServer());
  const { id } = await save(person, draft);
  const ask = (query: string) => person.call("GET", `${base}/transcription/${id}/export?${query}`);
  const exported = async (query: string) => Buffer.from(await (await ask(query)).arrayBuffer());
  return { person, id, ask, exported };
}

/** Text of the PDF as pdftotext reads it, without its marks around text from right to left. */
function textOf(pdf: Buffer, ...options: string[]): string {
  const text = execFileSync("pdftotext", [...options, "-", "-"], { input: pdf, encoding: "utf8" });
  return text.replace(/[\u202a-\u202e]/g, "");
}

const infoOf = (pdf: Buffer): string => execFileSync("pdfinfo", ["-"], { input: pdf, encoding: "utf8" });
const fontsOf = (pdf: Buffer): string[] =>
  execFileSync("pdffonts", ["-"], { input: pdf, encoding: "utf8" }).trim().split("\n").slice(2);
const said = (text: string, start: number, others: Partial<Segment> = {}): Segment => ({
  ...segment(text, start, start + 1),
  ...others,
});
const spoken = [said("good morning", 0, { speaker: "1" }), said("fine thanks", 61, { speaker: "Anna" })];

const writings: readonly (readonly [language: string, text: string])[] = [
  ["ar", "صباح الخير (أحمد)"],
  ["he", "שלום עולם"],
  ["ur", "یہ ایک امتحان ہے"],
  ["hi", "नमस्ते दुनिया, क्षत्रिय"],
  ["bn", "নমস্কার বিশ্ব"],
  ["pa", "ਸਤ ਸ੍ਰੀ ਅਕਾਲ ਵਿੱਚ"],
  ["gu", "નમસ્તે દુનિયા"],
  ["gu", "અંગ્રેજી"],
  ["or", "ନମସ୍କାର ଓଡ଼ିଆ"],
  ["ta", "வணக்கம்"],
  ["te", "నమస్కారం"],
  ["kn", "ನಮಸ್ಕಾರ"],
  ["ml", "നമസ്കാരം കേരളം"],
  ["si", "ආයුබෝවන්"],
  ["th", "สวัสดีครับ"],
  ["lo", "ສະບາຍດີ"],
  ["my", "မင်္ဂလာပါ"],
  ["km", "សួស្តី"],
  ["km", "កុំភ្លេច"],
  ["am", "ሰላም"],
  ["ka", "გამარჯობა"],
  ["hy", "Բարեւ"],
  ["el", "Γειά σου"],
  ["uk", "Доброго ранку, ґанок"],
  ["vi", "Tiếng Việt có dấu"],
  ["yo", "ẹ̀kọ́"],
  ["tr", "İyi günler, ğüş"],
  ["zh", "你好世界"],
  ["ja", "こんにちは、世界"],
  ["ko", "안녕하세요 반갑습니다"],
];

describe("PDF export", () => {
  test("a PDF has title, facts, passages with times and speakers, and notes as text in embedded fonts", async () => {
    const { person, id, ask, exported } = await exporting({ title: "Tee & Kekse", segments: spoken });
    const note = { start: 61, end: 62, colour: "green", text: "ask her\nagain", revision: 0 };
    const noted = await person.call("PUT", `${base}/transcription/${id}/notes/${crypto.randomUUID()}`, note);
    expect(noted.status).toBe(200);
    const answer = await ask("format=pdf");
    expect(answer.headers.get("Content-Type")).toBe("application/pdf");
    expect(answer.headers.get("Content-Disposition")).toContain('filename="Tee & Kekse.pdf"');
    const pdf = await exported("format=pdf&lng=de");
    const lines = textOf(pdf, "-layout")
      .split("\n")
      .map((line) => line.trim().replace(/\s+/g, " "))
      .filter((line) => line !== "");
    expect(lines).toEqual([
      "Tee & Kekse",
      expect.stringMatching(/^Datum: 1\. März 2026/),
      "Länge: 1:02",
      "Gesprochene Sprache: Englisch",
      "Redezeit: Sprecher 1 0:01 (50 %), Anna 0:01 (50 %)",
      ...["Sprecher 1", "0:00 good morning", "Anna", "1:01 fine thanks"],
      ...["Notizen", "1:01–1:02 (Grün) fine thanks", "ask her", "again", "1"],
    ]);
    expect(infoOf(pdf)).toMatch(/^Title: +Tee & Kekse$/m);
    expect(fontsOf(pdf)).toEqual([expect.stringMatching(/\+DejaVuSans .* yes yes yes /)]);
  });

  test("a PDF leaves out speakers, times and the other language on request", async () => {
    const { exported } = await exporting({
      segments: spoken.map((own, i) => ({ ...own, translation: ["buenos días", "bien, gracias"][i] ?? "" })),
      targetLanguage: "es",
    });
    expect(textOf(await exported("format=pdf&speakers=0&times=0&content=translation"))).toMatch(
      /\n\nbuenos días\n+bien, gracias\n\n1\n/,
    );
    expect(textOf(await exported("format=pdf&speakers=0&content=original"))).not.toContain("Anna");
    expect(textOf(await exported("format=pdf"), "-layout")).toMatch(/\n1:01 +fine thanks {5,}bien, gracias\n/);
  });

  // PROMISE exports: Exports are txt, srt, vtt, json, docx, pdf, Markdown and HTML
  test("text of every script can be copied from a PDF as it was said", async () => {
    const { exported } = await exporting({
      segments: writings.map(([language, text], i) => said(text, i, { language })),
    });
    // In text from right to left only their position tells brackets apart, so the comparison ignores brackets.
    const plain = (written: string) => written.normalize("NFC").replace(/[()\s]+/g, " ");
    const read = plain(textOf(await exported("format=pdf&times=0")));
    for (const [language, text] of writings) expect([language, read]).toEqual([language, expect.stringContaining(plain(text))]);
  });

  test("lays out right-to-left text with its Latin words and numbers from left to right", () => {
    const drawn = (text: string, width: number) =>
      layOut(text, { language: "ar", width, measure: (item) => item.length }).lines.map(({ items }) =>
        items.map((item) => item.text).filter((item) => item !== " "),
      );
    // A bracket is drawn as its mirror image.
    expect(drawn("قال (أحمد) إن Parlance 2.0 تأسست", 100)).toEqual([["تأسست", "Parlance 2.0", "إن", ")أحمد(", "قال"]]);
    expect(drawn("قال أحمد كلمة", 9)).toEqual([["أحمد", "قال"], ["كلمة"]]);
    expect(drawn("one two three", 8)).toEqual([["one two"], ["three"]]);
  });

  test("draws at most thirty marks of a letter and a long right-to-left paragraph to its end", () => {
    let drawn = 0;
    const measure = (item: string) => {
      drawn += item.length;
      return item.length;
    };
    const { lines } = layOut(`a${"\u0301\u0316".repeat(200_000)} ${"क्".repeat(100_000)}`, {
      language: "en",
      width: 100,
      measure,
    });
    expect(lines.flatMap(({ items }) => items.map(({ text }) => text)).join("")).toBe(
      `a${"\u0301\u0316".repeat(15)} ${"क्".repeat(15)}क`,
    );
    expect(drawn).toBeLessThan(1_000);

    const paragraph = "קול 12 ".repeat(1_000);
    const laid = layOut(paragraph, { language: "he", width: 7, measure: (item) => item.length });
    expect(laid.rtl).toBe(true);
    expect(new Set(laid.lines.map(({ items }) => items.map(({ text }) => text).join("")))).toEqual(new Set(["12 קול"]));
  });

  test("refuses a PDF of letters that no font has, but draws a few of them as squares", async () => {
    const { ask } = await exporting({ segments: [said("𓀀𓀁𓀂 𓀃𓀄", 0)] });
    const refused = await ask("format=pdf");
    expect(await refusal(refused.clone())).toMatch(/ languageUnavailable$/);
    expect(await refused.text()).toContain("Save the transcript as text or Word.");
    const { exported } = await exporting({
      segments: [said("a long enough sentence with 😶‍🌫️ in it and more words after that", 0)],
    });
    expect(textOf(await exported("format=pdf"))).toMatch(/with 😶□\S* in it/u);
  });
});

describe("options of an export", () => {
  test("leaves out or adds speakers and times in every format that has them", async () => {
    const { exported } = await exporting({ title: "Talk", segments: spoken });
    const texts = async (format: string, query: string) => {
      const file = await exported(`format=${format}${query}`);
      return format === "docx" ? (unzipped(file).get("word/document.xml") ?? "") : file.toString();
    };
    for (const format of ["txt", "md", "html", "srt", "vtt", "docx"]) {
      expect([format, await texts(format, "")]).toEqual([format, expect.stringContaining("Anna")]);
      const bare = await texts(format, "&speakers=0&times=0");
      expect([format, bare]).toEqual([format, expect.not.stringMatching(/Anna|Speaker 1|Talk time/)]);
      expect(bare).toContain("fine thanks");
      const hasTimes = format === "srt" || format === "vtt";
      expect([format, /1:01\b(?!<)/.test(bare.replace("0:01:02", ""))]).toEqual([format, hasTimes]);
    }
    expect(await texts("txt", "&times=1&speakers=0")).toBe("0:00 good morning\n1:01 fine thanks\n");
    expect(JSON.parse(await texts("json", "&speakers=0"))).toMatchObject({ segments: spoken });
  });

  test("limits the length and number of a subtitle's lines", async () => {
    const text = "this is a sentence of quite some words that go on and on until it ends here";
    const { exported } = await exporting({ segments: [{ ...segment(text, 0, 12) }] });
    const cues = async (query: string) =>
      (await exported(`format=srt${query}`))
        .toString()
        .trim()
        .split("\n\n")
        .map((cue) => cue.split("\n").slice(2));
    const widest = (all: string[][]) => Math.max(...all.flat().map((line) => line.length));
    const usual = await cues("");
    expect([widest(usual) <= 42, usual.some((lines) => lines.length === 2)]).toEqual([true, true]);
    const narrow = await cues("&lineLength=24");
    expect([widest(narrow) <= 24, narrow.flat().join(" ")]).toEqual([true, text]);
    const single = await cues("&lines=1");
    expect([single.every((lines) => lines.length === 1), single.flat().join(" ")]).toEqual([true, text]);
  });

  test.each(["lineLength=19", "lineLength=81", "lineLength=4e1", "lines=3", "times=yes", "speakers=true", "format=exe"])(
    "refuses the option %s",
    async (query) => {
      const { ask } = await exporting({ segments: spoken });
      expect(await refusal(await ask(query.startsWith("format") ? query : `format=srt&${query}`))).toBe("400 badRequest");
    },
  );

  test("applies the export options to an archive too", async () => {
    const { person, id } = await exporting({ title: "Talk", segments: spoken });
    const wanted = { ids: [id], formats: ["txt", "pdf"], speakers: false, times: true, lineLength: 30, lines: 1 };
    const files = unzipped(Buffer.from(await (await person.call("POST", `${base}/archive`, wanted)).arrayBuffer()));
    expect(files.get("Talk.txt")).toBe("0:00 good morning\n1:01 fine thanks\n");
    expect([...files.keys()]).toEqual(["Talk.txt", "Talk.pdf"]);
    expect(await refusal(await person.call("POST", `${base}/archive`, { ...wanted, lines: 3 }))).toBe("400 badRequest");
  });

  test("a Word export contains the notes", async () => {
    const { person, id, exported } = await exporting({ title: "Talk", segments: spoken });
    const note = { start: 61, end: 62, colour: null, text: "ask <her>\nagain", revision: 0 };
    await person.call("PUT", `${base}/transcription/${id}/notes/${crypto.randomUUID()}`, note);
    const document = unzipped(await exported("format=docx")).get("word/document.xml") ?? "";
    const texts = [...document.matchAll(/<w:t[^>]*>([^<]*)<\/w:t>/g)].map(([, text]) => text);
    expect(texts.slice(-5)).toEqual(["Notes", "1:01–1:02", " “fine thanks”", "ask &lt;her&gt;", "again"]);
  });
});
