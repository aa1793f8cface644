import type { ExportFormat, Segment, Transcription } from "../../src/api/contract/index.ts";

export interface Exported {
  body: string;
  type: string;
}

/** A transcription as a file in one of the formats; translations come with it where there are some. */
export function exportTranscription(transcription: Transcription, format: ExportFormat): Exported {
  switch (format) {
    case "txt":
      return { body: asText(transcription), type: "text/plain; charset=utf-8" };
    case "srt":
      return { body: asSubRip(cuesOf(transcription)), type: "application/x-subrip; charset=utf-8" };
    case "vtt":
      return { body: asWebVtt(cuesOf(transcription)), type: "text/vtt; charset=utf-8" };
    case "json":
      return { body: asJson(transcription), type: "application/json; charset=utf-8" };
  }
}

/**
 * The Content-Disposition of a download: the title as the file's name, in RFC 5987's encoding, with an ASCII one beside it.
 * What no file system takes is left out.
 */
export function attachment(title: string, extension: string): string {
  const cleaned = [...title.normalize("NFC").replace(/[\p{C}/\\:*?"<>|]+/gu, " ")].slice(0, 100).join("");
  const name = `${cleaned.replace(/\s+/g, " ").replace(/^[. ]+|[. ]+$/g, "") || "transcription"}.${extension}`;
  const ascii = name.replace(/[^\x20-\x7e]|%/g, "_");
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

interface Cue {
  start: number;
  end: number;
  lines: string[];
}

/** Two lines of 42 characters, what subtitles hold at most (BBC and Netflix guidelines). */
const cueLetters = 84;

function cuesOf(transcription: Transcription): Cue[] {
  const spoken = transcription.segments.filter((segment) => segment.text.trim() !== "");
  if (spoken.length > 0) return spoken.flatMap(segmentCues);
  const text = oneLine(transcription.text);
  if (text === "") return [];
  // Text that was typed has no times: it stands as long as the audio.
  const lines = [text, oneLine(transcription.translatedText)].filter((line) => line !== "");
  return [{ start: 0, end: Math.max(1, transcription.durationSeconds ?? 1), lines }];
}

/** A long segment becomes several cues if its words have times. Its translation has none, so with one it stays whole. */
function segmentCues(segment: Segment): Cue[] {
  const translation = oneLine(segment.translation ?? "");
  const text = oneLine(segment.text);
  if (translation !== "") return [{ start: segment.start, end: segment.end, lines: [text, translation] }];
  if (text.length <= cueLetters || segment.words.length < 2) return [{ start: segment.start, end: segment.end, lines: [text] }];
  const parts = Math.ceil(text.length / cueLetters);
  const cues: Cue[] = [];
  let line = "";
  let start = segment.start;
  segment.words.forEach((word, i) => {
    if (line === "") start = i === 0 ? segment.start : word.start;
    line = line === "" ? word.text : `${line} ${word.text}`;
    const following = segment.words[i + 1];
    const full = line.length >= text.length / parts || line.length + 1 + (following?.text.length ?? 0) > cueLetters;
    if (following !== undefined && !full) return;
    cues.push({ start, end: following === undefined ? segment.end : word.end, lines: [oneLine(line)] });
    line = "";
  });
  return cues;
}

function asText({ segments, text, translatedText }: Transcription): string {
  const lines = segments.map((segment) => oneLine(segment.text)).filter((line) => line !== "");
  const spoken = lines.length > 0 ? lines.join("\n") : text.trim();
  const translated = segments.map((segment) => oneLine(segment.translation ?? "")).filter((line) => line !== "");
  const translation = translated.length > 0 ? translated.join("\n") : translatedText.trim();
  return `${[spoken, translation].filter((part) => part !== "").join("\n\n")}\n`;
}

function asSubRip(cues: readonly Cue[]): string {
  return cues
    .map(({ start, end, lines }, i) => {
      // The format has no escapes; an arrow in the text would be read as a time.
      const text = lines.map((line) => line.replaceAll("-->", "→")).join("\n");
      return `${i + 1}\n${timestamp(start, ",")} --> ${timestamp(end, ",")}\n${text}\n`;
    })
    .join("\n");
}

function asWebVtt(cues: readonly Cue[]): string {
  const blocks = cues.map(({ start, end, lines }) => {
    const text = lines.map((line) => line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")).join("\n");
    return `${timestamp(start, ".")} --> ${timestamp(end, ".")}\n${text}\n`;
  });
  return ["WEBVTT\n", ...blocks].join("\n");
}

function asJson(transcription: Transcription): string {
  const { title, date, sourceLanguage, targetLanguage, durationSeconds, engine, text, translatedText, segments } = transcription;
  return `${JSON.stringify({ title, date, sourceLanguage, targetLanguage, durationSeconds, engine, text, translatedText, segments }, null, 2)}\n`;
}

/** A blank line would end a cue. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** hh:mm:ss and milliseconds. */
function timestamp(seconds: number, mark: "," | "."): string {
  const ms = Math.round(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}`;
  return `${clock}${mark}${String(ms % 1000).padStart(3, "0")}`;
}
