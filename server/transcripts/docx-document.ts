import {
  BorderStyle,
  Document,
  HeadingLevel,
  type IRunOptions,
  Paragraph,
  Tab,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  TabStopType,
  TextRun,
  WidthType,
} from "docx";
import type { Segment, Transcription } from "../../src/api/contract/index.ts";
import { type Labels, languageName, oneLine, speakerName } from "./labels.ts";

/** Twentieths of a point, as the format counts: where the text begins beside its time, and what a page of A4 is wide inside. */
const timeWidth = 1_100;
const pageWidth = 9_026;
const grey = "595959";

/** A transcript as a Word document: its title, what is known of it, and each segment with its time, its speaker and its translation. */
export function documentOf(transcription: Transcription, labels: Labels): Document {
  const { title, sourceLanguage, targetLanguage } = transcription;
  const name = clean(title) || labels.untitled;
  const spoken = { code: sourceLanguage === "auto" ? undefined : sourceLanguage };
  return new Document({
    title: name,
    creator: "Parlance",
    styles: {
      default: {
        document: { run: { font: "Calibri", size: 22, ...languageOf(spoken.code) }, paragraph: { spacing: { after: 120 } } },
        heading1: { run: { font: "Calibri", size: 36 }, paragraph: { spacing: { after: 160 } } },
      },
    },
    sections: [
      {
        children: [
          new Paragraph({ heading: HeadingLevel.HEADING_1, ...bidirectional(spoken.code), children: [run(name, spoken.code)] }),
          ...facts(transcription, labels),
          ...body(transcription, labels, spoken.code, targetLanguage ?? undefined),
        ],
      },
    ],
  });
}

function facts({ date, durationSeconds, sourceLanguage, targetLanguage }: Transcription, labels: Labels): Paragraph[] {
  const at = new Date(date);
  const lines: [string, string][] = [];
  if (!Number.isNaN(at.getTime())) {
    const format = new Intl.DateTimeFormat(labels.language, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
    lines.push([labels.date, `${format.format(at)} UTC`]);
  }
  if (durationSeconds !== null) lines.push([labels.length, clock(durationSeconds)]);
  if (sourceLanguage !== "auto") lines.push([labels.spoken, languageName(sourceLanguage, labels)]);
  if (targetLanguage !== null) lines.push([labels.translated, languageName(targetLanguage, labels)]);
  return lines.map(
    ([name, value], i) =>
      new Paragraph({
        spacing: { after: i === lines.length - 1 ? 320 : 0 },
        children: [run(`${name}: ${value}`, labels.language, { color: grey })],
      }),
  );
}

function body(
  { segments, text, translatedText }: Transcription,
  labels: Labels,
  source: string | undefined,
  target: string | undefined,
): (Paragraph | Table)[] {
  const spoken = segments.filter((segment) => clean(segment.text) !== "");
  if (spoken.length === 0) return [...plain(text, source), ...plain(translatedText, target)];
  const translated = spoken.some(({ translation }) => clean(translation ?? "") !== "");
  return translated ? [sideBySide(spoken, labels, source, target)] : spoken.map((segment) => line(segment, labels, source));
}

/** A text that was typed: its paragraphs. */
function plain(text: string, language: string | undefined): Paragraph[] {
  const paragraphs = text.split(/\n+/).filter((part) => clean(part) !== "");
  return paragraphs.map((part) => new Paragraph({ ...bidirectional(language), children: [run(clean(part), language)] }));
}

/** Time, speaker and text, the text in a column of its own. */
function line(segment: Segment, labels: Labels, source: string | undefined): Paragraph {
  const language = segment.language ?? source;
  return new Paragraph({
    ...bidirectional(language),
    indent: { left: timeWidth, hanging: timeWidth },
    tabStops: [{ type: TabStopType.LEFT, position: timeWidth }],
    children: [
      new TextRun({ children: [clock(segment.start), new Tab()], color: grey, size: 18 }),
      ...said(segment, labels, language),
    ],
  });
}

function said(segment: Segment, labels: Labels, language: string | undefined): TextRun[] {
  const speaker = clean(speakerName(segment, labels));
  const text = run(clean(segment.text), language);
  return speaker === "" ? [text] : [run(`${speaker}: `, language, { bold: true }), text];
}

function sideBySide(spoken: readonly Segment[], labels: Labels, source: string | undefined, target: string | undefined): Table {
  const half = (pageWidth - timeWidth) / 2;
  const widths = [timeWidth, half, half];
  const cell = (column: number, paragraph: Paragraph) =>
    new TableCell({
      width: { size: widths[column] ?? half, type: WidthType.DXA },
      margins: { top: 60, bottom: 60, left: 80, right: 80 },
      children: [paragraph],
    });
  const small = (text: string, bold: boolean) =>
    new Paragraph({ spacing: { after: 0 }, children: [run(text, labels.language, { color: grey, size: 18, bold })] });
  const text = (children: TextRun[], language: string | undefined) =>
    new Paragraph({ ...bidirectional(language), spacing: { after: 0 }, children });
  const heads = [labels.time, labels.original, labels.translation];
  const rule = { style: BorderStyle.SINGLE, size: 4, color: "D9D9D9" };
  const none = { style: BorderStyle.NONE, size: 0, color: "auto" };
  return new Table({
    layout: TableLayoutType.FIXED,
    width: { size: pageWidth, type: WidthType.DXA },
    columnWidths: widths,
    visuallyRightToLeft: isRightToLeft(source),
    borders: { top: rule, bottom: rule, insideHorizontal: rule, left: none, right: none, insideVertical: none },
    rows: [
      new TableRow({ tableHeader: true, children: heads.map((head, column) => cell(column, small(head, true))) }),
      ...spoken.map((segment) => {
        const [from, to] = [segment.language ?? source, segment.translationLanguage ?? target];
        return new TableRow({
          cantSplit: true,
          children: [
            cell(0, small(clock(segment.start), false)),
            cell(1, text(said(segment, labels, from), from)),
            cell(2, text([run(clean(segment.translation ?? ""), to)], to)),
          ],
        });
      }),
    ],
  });
}

function run(text: string, language: string | undefined, look: IRunOptions = {}): TextRun {
  return new TextRun({ ...look, text, ...languageOf(language), rightToLeft: isRightToLeft(language) });
}

/** What the spelling is checked in: the format has a place of its own for what is written from right to left, and in East Asia. */
function languageOf(code: string | undefined): Pick<IRunOptions, "language"> {
  if (code === undefined) return {};
  const eastAsia = /^(zh|ja|ko)\b/.test(code);
  return {
    language: { value: code, ...(isRightToLeft(code) ? { bidirectional: code } : {}), ...(eastAsia ? { eastAsia: code } : {}) },
  };
}

function bidirectional(language: string | undefined): { bidirectional: boolean } {
  return { bidirectional: isRightToLeft(language) };
}

const scripts = new Set(["Arab", "Hebr", "Syrc", "Thaa", "Nkoo", "Adlm", "Rohg"]);

function isRightToLeft(code: string | undefined): boolean {
  if (code === undefined) return false;
  try {
    return scripts.has(new Intl.Locale(code).maximize().script ?? "");
  } catch {
    return false;
  }
}

/** On one line, and without what XML has no way to write. */
function clean(text: string): string {
  return oneLine(text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ""));
}

/** "0:07", "1:02:03". */
function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
