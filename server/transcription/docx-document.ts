import { Document, Packer, Paragraph } from "docx";
import { oneLine, type Segment, type Transcription, titleOf } from "#contract/index.ts";
import { dateTimeUtc, type Labels, languageName, speakerName } from "./labels.ts";
import { clock, talkTimeOf } from "./talk-time.ts";

/** Twentieths of a point, the format's unit: the text's indentation beside its time, and the inner width of an A4 page. */
const timeWidth = 1_100;
const pageWidth = 9_026;
const halfWidth = (pageWidth - timeWidth) / 2;

/**
 * A transcript as a Word document (Office Open XML): title, metadata, and each segment with time, speaker and
 * translation. The library creates the package. The text's XML is written here: the library's objects for it cost 68 kB per
 * segment, 3.4 GB for a document of 50,000.
 * @param whole whose facts stand below the title: `transcription` may be shown in one of its languages only
 */
export function makeDocx(transcription: Transcription, labels: Labels, whole: Transcription): Promise<Uint8Array> {
  const { title, sourceLanguage } = transcription;
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
  return Packer.toBuffer(shell, undefined, [
    { path: "word/document.xml", data: documentXml({ transcription, labels, whole, spoken }) },
  ]);
}

const before =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
  '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>';
/** A4 portrait with one-inch margins. */
const after =
  '<w:sectPr><w:pgSz w:w="11906" w:h="16838" w:orient="portrait"/>' +
  '<w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/>' +
  "</w:sectPr></w:body></w:document>";

interface Parts {
  transcription: Transcription;
  labels: Labels;
  whole: Transcription;
  spoken: Language;
}

function documentXml({ transcription, labels, whole, spoken }: Parts): string {
  const name = clean(titleOf(transcription)) || labels.untitled;
  const heading = paragraph(`<w:pStyle w:val="Heading1"/>${direction(spoken)}`, run(name, spoken));
  const body = bodyOf(transcription, labels, spoken, transcription.targetLanguage ?? undefined);
  return [before, heading, ...facts(whole, labels), ...body, after].join("");
}

function facts({ date, durationSeconds, sourceLanguage, targetLanguage, segments }: Transcription, labels: Labels): string[] {
  const at = new Date(date);
  const lines: [string, string][] = [];
  if (!Number.isNaN(at.getTime())) lines.push([labels.date, dateTimeUtc(at, labels)]);
  if (durationSeconds !== null) lines.push([labels.length, clock(durationSeconds)]);
  if (sourceLanguage !== "auto") lines.push([labels.spoken, languageName(sourceLanguage, labels)]);
  if (targetLanguage !== null) lines.push([labels.translated, languageName(targetLanguage, labels)]);
  const talkTime = clean(talkTimeOf(segments, labels));
  if (talkTime !== "") lines.push([labels.talkTime, talkTime]);
  return lines.map(([name, value], i) =>
    paragraph(
      `<w:spacing w:after="${i === lines.length - 1 ? 320 : 0}"/>`,
      run(`${name}${labels.colon}${value}`, labels.language, grey),
    ),
  );
}

type Language = string | undefined;

function bodyOf({ segments, text, translatedText }: Transcription, labels: Labels, source: Language, target: Language): string[] {
  const spoken = segments.filter((segment) => clean(segment.text) !== "");
  if (spoken.length === 0) return [...plain(text, source), ...plain(translatedText, target)];
  const translated = spoken.some(({ translation }) => clean(translation ?? "") !== "");
  if (!translated) return spoken.map((segment) => line(segment, labels, source));
  const rows = spoken.map((segment) => bilingualRow(segment, labels, source, target));
  // Word requires a paragraph after a table.
  return [tableHead(labels, source), ...rows, "</w:tbl><w:p/>"];
}

/** A text that was typed: its paragraphs. */
function plain(text: string, language: Language): string[] {
  const paragraphs = text.split(/\n+/).filter((part) => clean(part) !== "");
  return paragraphs.map((part) => paragraph(direction(language), run(clean(part), language)));
}

/** Time, speaker and text, with the text in a column of its own. */
function line(segment: Segment, labels: Labels, source: Language): string {
  const language = segment.language ?? source;
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

function tableHead(labels: Labels, source: Language): string {
  const rule = 'w:val="single" w:color="D9D9D9" w:sz="4"';
  const none = 'w:val="none" w:color="auto" w:sz="0"';
  const borders =
    `<w:top ${rule}/><w:left ${none}/><w:bottom ${rule}/><w:right ${none}/>` + `<w:insideH ${rule}/><w:insideV ${none}/>`;
  const heads = [labels.time, labels.original, labels.translation].map((head, column) =>
    cell(column, paragraph(tight, run(head, labels.language, bold + grey + small))),
  );
  return (
    `<w:tbl><w:tblPr><w:bidiVisual w:val="${isRightToLeft(source) ? "on" : "off"}"/><w:tblW w:type="dxa" w:w="${pageWidth}"/>` +
    `<w:tblBorders>${borders}</w:tblBorders><w:tblLayout w:type="fixed"/></w:tblPr>` +
    `<w:tblGrid><w:gridCol w:w="${timeWidth}"/><w:gridCol w:w="${halfWidth}"/><w:gridCol w:w="${halfWidth}"/></w:tblGrid>` +
    `<w:tr><w:trPr><w:tblHeader/></w:trPr>${heads.join("")}</w:tr>`
  );
}

function bilingualRow(segment: Segment, labels: Labels, source: Language, target: Language): string {
  const [from, to] = [segment.language ?? source, segment.translationLanguage ?? target];
  const cells = [
    cell(0, paragraph(tight, run(clock(segment.start), labels.language, grey + small))),
    cell(1, paragraph(direction(from) + tight, said(segment, labels, from))),
    cell(2, paragraph(direction(to) + tight, run(clean(segment.translation ?? ""), to))),
  ];
  return `<w:tr><w:trPr><w:cantSplit/></w:trPr>${cells.join("")}</w:tr>`;
}

const margins =
  '<w:tcMar><w:top w:type="dxa" w:w="60"/><w:left w:type="dxa" w:w="80"/>' +
  '<w:bottom w:type="dxa" w:w="60"/><w:right w:type="dxa" w:w="80"/></w:tcMar>';

function cell(column: number, content: string): string {
  const width = column === 0 ? timeWidth : halfWidth;
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
