import { Document, Packer, Paragraph } from "docx";
import { type Labels, speakerName } from "#contract/exports/labels.ts";
import { factsIn, notesIn, type Read } from "#contract/exports/reading.ts";
import { clock } from "#contract/exports/talk-time.ts";
import { oneLine, type Segment, type Transcription, titleOf } from "#contract/index.ts";

/**
 * Twentieths of a point, the format's unit: the text's indentation beside its time, and the inner width of an A4 page.
 */
const timeWidth = 1_100;
const pageWidth = 9_026;
const halfWidth = (pageWidth - timeWidth) / 2;

/**
 * A transcript as a Word document (Office Open XML): title, metadata, each segment with time, speaker and translation,
 * and its notes. The library creates the package. The text's XML is written here: the library's objects for it cost 68
 * kB per segment, 3.4 GB for a document of 50,000.
 */
export function makeDocx(read: Read): Promise<Uint8Array> {
  const { shown, labels } = read;
  const { title, sourceLanguage } = shown;
  const spoken = sourceLanguage === "auto" ? undefined : sourceLanguage;
  const shell = new Document({
    title: clean(title) || labels.untitled,
    creator: "Parlance",
    styles: {
      default: {
        document: {
          run: { font: "Calibri", size: 22, ...(spoken === undefined ? {} : { language: { value: spoken } }) },
          paragraph: { spacing: { after: 120 } },
        },
        heading1: { run: { font: "Calibri", size: 36 }, paragraph: { spacing: { after: 160 } } },
      },
    },
    sections: [{ children: [new Paragraph("")] }],
  });
  return Packer.toBuffer(shell, undefined, [{ path: "word/document.xml", data: documentXml(read, spoken) }]);
}

const before =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
  '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>';
/** A4 portrait with one-inch margins. */
const after =
  '<w:sectPr><w:pgSz w:w="11906" w:h="16838" w:orient="portrait"/>' +
  '<w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/>' +
  "</w:sectPr></w:body></w:document>";

function documentXml(read: Read, spoken: Language): string {
  const { shown, labels } = read;
  const name = clean(titleOf(shown)) || labels.untitled;
  const heading = paragraph(`<w:pStyle w:val="Heading1"/>${direction(spoken)}`, run(name, spoken));
  const body = bodyOf(shown, { labels, times: read.times, source: spoken, target: shown.targetLanguage ?? undefined });
  return [before, heading, ...facts(read), ...body, ...noted(read, spoken), after].join("");
}

function facts(read: Read): string[] {
  const { labels } = read;
  return factsIn(read).map(([name, value], i, all) =>
    paragraph(
      `<w:spacing w:after="${i === all.length - 1 ? 320 : 0}"/>`,
      run(`${name}${labels.colon}${clean(value)}`, labels.language, grey),
    ),
  );
}

/** A note: times and color, the passage's text, and the note's lines. */
function noted(read: Read, spoken: Language): string[] {
  const { labels } = read;
  const notes = notesIn(read);
  if (notes.length === 0) return [];
  const parts = notes.flatMap(({ times, colour, quote, text }) => {
    const head = run(colour === "" ? times : `${times} (${colour})`, labels.language, bold + grey);
    const quoted = quote === "" ? "" : run(` “${clean(quote)}”`, spoken);
    const lines = text.split(/\r?\n/).filter((one) => clean(one) !== "");
    return [
      paragraph(lines.length === 0 ? "" : tight, head + quoted),
      ...lines.map((one, i) =>
        paragraph(`${i === lines.length - 1 ? "" : tight}<w:ind w:left="${timeWidth}"/>`, run(clean(one), undefined)),
      ),
    ];
  });
  return [paragraph('<w:pStyle w:val="Heading2"/>', run(labels.notes, labels.language)), ...parts];
}

type Language = string | undefined;

/** The settings of the body. */
interface Manner {
  labels: Labels;
  times: boolean;
  source: Language;
  target: Language;
}

function bodyOf({ segments, text, translatedText }: Transcription, manner: Manner): string[] {
  const { source, target } = manner;
  const spoken = segments.filter((segment) => clean(segment.text) !== "");
  if (spoken.length === 0) return [...plain(text, source), ...plain(translatedText, target)];
  const translated = spoken.some(({ translation }) => clean(translation ?? "") !== "");
  if (!translated) return spoken.map((segment) => line(segment, manner));
  const rows = spoken.map((segment) => bilingualRow(segment, manner));
  // Word requires a paragraph after a table.
  return [tableHead(manner), ...rows, "</w:tbl><w:p/>"];
}

/** A text that was typed: its paragraphs. */
function plain(text: string, language: Language): string[] {
  const paragraphs = text.split(/\n+/).filter((part) => clean(part) !== "");
  return paragraphs.map((part) => paragraph(direction(language), run(clean(part), language)));
}

/** Time, speaker and text, with the text in a column of its own. */
function line(segment: Segment, { labels, times, source }: Manner): string {
  const language = segment.language ?? source;
  if (!times) return paragraph(direction(language), said(segment, labels, language));
  const place = `<w:tabs><w:tab w:val="left" w:pos="${timeWidth}"/></w:tabs>${direction(language)}`;
  const time = `<w:r><w:rPr>${grey}${small}</w:rPr><w:t xml:space="preserve">${clock(segment.start)}</w:t><w:tab/></w:r>`;
  const indent = `<w:ind w:left="${timeWidth}" w:hanging="${timeWidth}"/>`;
  return paragraph(place + indent, time + said(segment, labels, language));
}

function said(segment: Segment, labels: Labels, language: Language): string {
  const speaker = clean(speakerName(segment, labels));
  const text = run(clean(segment.text), language);
  return speaker === "" ? text : run(`${speaker}: `, language, bold) + text;
}

function tableHead({ labels, times, source }: Manner): string {
  const rule = 'w:val="single" w:color="D9D9D9" w:sz="4"';
  const none = 'w:val="none" w:color="auto" w:sz="0"';
  const borders =
    `<w:top ${rule}/><w:left ${none}/><w:bottom ${rule}/><w:right ${none}/>` + `<w:insideH ${rule}/><w:insideV ${none}/>`;
  const [first, second] = [labels.original, labels.translation];
  const heads = (times ? [labels.time, first, second] : [first, second]).map((head) =>
    cell(head === labels.time ? timeWidth : halfOf(times), paragraph(tight, run(head, labels.language, bold + grey + small))),
  );
  return (
    `<w:tbl><w:tblPr><w:bidiVisual w:val="${isRightToLeft(source) ? "on" : "off"}"/><w:tblW w:type="dxa" w:w="${pageWidth}"/>` +
    `<w:tblBorders>${borders}</w:tblBorders><w:tblLayout w:type="fixed"/></w:tblPr>` +
    `<w:tblGrid>${times ? column(timeWidth) : ""}${column(halfOf(times)).repeat(2)}</w:tblGrid>` +
    `<w:tr><w:trPr><w:tblHeader/></w:trPr>${heads.join("")}</w:tr>`
  );
}

const halfOf = (times: boolean): number => (times ? halfWidth : pageWidth / 2);
const column = (width: number): string => `<w:gridCol w:w="${width}"/>`;

function bilingualRow(segment: Segment, { labels, times, source, target }: Manner): string {
  const [from, to] = [segment.language ?? source, segment.translationLanguage ?? target];
  const cells = [
    ...(times ? [cell(timeWidth, paragraph(tight, run(clock(segment.start), labels.language, grey + small)))] : []),
    cell(halfOf(times), paragraph(direction(from) + tight, said(segment, labels, from))),
    cell(halfOf(times), paragraph(direction(to) + tight, run(clean(segment.translation ?? ""), to))),
  ];
  return `<w:tr><w:trPr><w:cantSplit/></w:trPr>${cells.join("")}</w:tr>`;
}

const margins =
  '<w:tcMar><w:top w:type="dxa" w:w="60"/><w:left w:type="dxa" w:w="80"/>' +
  '<w:bottom w:type="dxa" w:w="60"/><w:right w:type="dxa" w:w="80"/></w:tcMar>';

function cell(width: number, content: string): string {
  return `<w:tc><w:tcPr><w:tcW w:type="dxa" w:w="${width}"/>${margins}</w:tcPr>${content}</w:tc>`;
}

const tight = '<w:spacing w:after="0"/>';
const bold = "<w:b/><w:bCs/>";
const grey = '<w:color w:val="595959"/>';
/** Half points. */
const small = '<w:sz w:val="18"/><w:szCs w:val="18"/>';

function paragraph(properties: string, runs: string): string {
  return `<w:p><w:pPr>${properties}</w:pPr>${runs}</w:p>`;
}

/** @param look in the order of the format's schema: bold, colour, size */
function run(text: string, language: Language, look = ""): string {
  const rtl = isRightToLeft(language) ? "<w:rtl/>" : '<w:rtl w:val="false"/>';
  return `<w:r><w:rPr>${look}${rtl}${spelling(language)}</w:rPr><w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`;
}

/** The proofing language: the format has separate attributes for right-to-left and East Asian text. */
function spelling(code: Language): string {
  if (code === undefined) return "";
  const name = escaped(code);
  const bidi = isRightToLeft(code) ? ` w:bidi="${name}"` : "";
  const eastAsia = /^(zh|ja|ko)\b/.test(code) ? ` w:eastAsia="${name}"` : "";
  return `<w:lang w:val="${name}"${eastAsia}${bidi}/>`;
}

function direction(language: Language): string {
  return isRightToLeft(language) ? "<w:bidi/>" : '<w:bidi w:val="false"/>';
}

const scripts = new Set(["Arab", "Hebr", "Syrc", "Thaa", "Nkoo", "Adlm", "Rohg"]);
const rightToLeft = new Map<string, boolean>();

function isRightToLeft(code: Language): boolean {
  if (code === undefined) return false;
  const known = rightToLeft.get(code);
  if (known !== undefined) return known;
  const is = scripts.has(scriptOf(code));
  rightToLeft.set(code, is);
  return is;
}

function scriptOf(code: string): string {
  try {
    return new Intl.Locale(code).maximize().script ?? "";
  } catch {
    return "";
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[mark] ?? "&quot;");
}

/** On one line, without characters that are invalid in XML. */
function clean(text: string): string {
  return oneLine(text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ""));
}
