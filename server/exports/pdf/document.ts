import PDFDocument from "pdfkit";
import { factsIn, notesIn, passagesIn, quoteLength, type Read, titleIn } from "#contract/exports/reading.ts";
import { oneLine } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { openPages, type Pages, type Part } from "./pages.ts";

/** Characters: a book of a thousand pages. Laying out more takes longer than a thread is given. */
const longest = 2_000_000;
/** Each takes as long as so many characters: its time, its speaker, its text. */
const perPassage = 60;
/** Points: beside a passage, for "1:01:01". */
const timeWidth = 48;
const gap = 12;
const grey = "#595959";
/** The share of letters without a font that are drawn as empty squares; with more the export is refused. */
const tolerated = 0.05;

/**
 * A transcript as a PDF: real text in embedded font subsets, with both languages in two columns, and notes at the end.
 * Right-to-left scripts are supported.
 * @throws Problem `tooLarge`; `languageUnavailable` if no font here has its letters
 */
export async function makePdf(read: Read): Promise<Uint8Array<ArrayBuffer>> {
  const { shown, labels } = read;
  const letters = shown.text.length + shown.translatedText.length + textLength(read);
  const passages = shown.segments.length + read.notes.length;
  if (letters + passages * perPassage > longest)
    throw new Problem("tooLarge", "The transcript is too long for a PDF. Save it as text or Word.");
  const source = shown.sourceLanguage === "auto" ? undefined : shown.sourceLanguage;
  const document = new PDFDocument({
    size: "A4",
    margin: 0,
    lang: source ?? labels.language,
    displayTitle: true,
    info: { Title: titleIn(read), Creator: "Parlance", Producer: "Parlance" },
    autoFirstPage: false,
  });
  const bytes = collected(document);
  const pages = openPages(document);
  pages.write([{ text: titleIn(read), language: source, size: 18 }], 10);
  for (const [label, value] of factsIn(read))
    pages.write([{ text: `${label}${labels.colon}${value}`, language: labels.language, size: 9, colour: grey }], 2);
  pages.space(12);
  writeBody(read, pages);
  writeNotes(read, pages);
  if (pages.missing > letters * tolerated) {
    document.end();
    throw new Problem("languageUnavailable", "This server has no font for this script. Save the transcript as text or Word.");
  }
  document.end();
  return bytes;
}

const textLength = ({ shown, notes }: Read): number =>
  shown.segments.reduce((sum, { text, translation = "" }) => sum + text.length + translation.length, 0) +
  notes.reduce((sum, { text }) => sum + text.length + quoteLength, 0);

async function collected(document: PDFKit.PDFDocument): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  document.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  await new Promise<void>((resolve, reject) => document.on("end", resolve).on("error", reject));
  return Uint8Array.from(Buffer.concat(chunks));
}

function writeBody(read: Read, pages: Pages): void {
  const { shown, labels } = read;
  const passages = passagesIn(read);
  if (passages.length === 0) {
    const target = shown.targetLanguage ?? undefined;
    for (const [text, language] of [[shown.text, shown.sourceLanguage] as const, [shown.translatedText, target] as const])
      for (const paragraph of text.split(/\n+/)) if (oneLine(paragraph) !== "") pages.write([{ text: paragraph, language }], 6);
    return;
  }
  const bilingual = passages.some(({ translation }) => translation !== "");
  const indent = read.times ? timeWidth : 0;
  const column = bilingual ? (pages.width - indent - gap) / 2 : pages.width - indent;
  const beside = indent + column + gap;
  if (bilingual)
    pages.write(
      [
        { text: labels.original, language: labels.language, size: 8, colour: grey, x: indent, width: column },
        { text: labels.translation, language: labels.language, size: 8, colour: grey, x: beside, width: column },
      ],
      4,
    );
  for (const { time, speaker, text, language, translation, translationLanguage } of passages) {
    if (speaker !== "")
      pages.write([{ text: speaker, language, size: 8, colour: grey, x: indent, width: column }], 1, { keep: true });
    const parts: Part[] = [{ text, language, x: indent, width: column }];
    if (time !== "") parts.unshift({ text: time, language: labels.language, size: 8, colour: grey, width: indent - 4 });
    if (translation !== "") parts.push({ text: translation, language: translationLanguage, x: beside, width: column });
    pages.write(parts, 5);
  }
}

function writeNotes(read: Read, pages: Pages): void {
  const { shown, labels } = read;
  const notes = notesIn(read);
  if (notes.length === 0) return;
  pages.space(12);
  pages.write([{ text: labels.notes, language: labels.language, size: 13 }], 6, { keep: true });
  const indent = { x: timeWidth * 2, width: pages.width - timeWidth * 2 };
  for (const { times, colour, quote, text } of notes) {
    const head: Part = { text: times, language: labels.language, size: 8, colour: grey, width: timeWidth * 2 - 4 };
    const named = colour === "" ? quote : `(${colour}) ${quote}`;
    pages.write([head, { text: named, language: shown.sourceLanguage, colour: grey, ...indent }], 2);
    for (const line of text.split(/\r?\n/))
      if (oneLine(line) !== "") pages.write([{ text: line, language: undefined, ...indent }], 2);
    pages.space(5);
  }
}
