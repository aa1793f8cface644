import type { Labels } from "#contract/exports/labels.ts";
import type { ExportContent, ExportLook, Transcription } from "#contract/index.ts";
import { cuesOf } from "./cues.ts";

/** Options of subtitles. */
interface Subtitled {
  labels: Labels;
  content: ExportContent;
  look: ExportLook;
}

export function asSubRip(transcription: Transcription, subtitled: Subtitled): string {
  return cuesOf(transcription, { ...subtitled, names: true })
    .map(({ start, end, lines }, i) => {
      // SRT has no escapes, and an arrow in the text would be parsed as timing.
      const text = lines.map((line) => line.text.replaceAll("-->", "→")).join("\n");
      return `${i + 1}\n${timestamp(start, ",")} --> ${timestamp(end, ",")}\n${text}\n`;
    })
    .join("\n");
}

/** WebVTT with speakers in tags, which players may show. */
export function asWebVtt(transcription: Transcription, subtitled: Subtitled): string {
  const blocks = cuesOf(transcription, { ...subtitled, names: false }).map(({ start, end, lines, speaker }) => {
    const text = lines
      .map((line) => (line.language === undefined ? escaped(line.text) : `<lang ${line.language}>${escaped(line.text)}</lang>`))
      .join("\n");
    const voice = speaker === "" ? "" : `<v ${escaped(speaker)}>`;
    return `${timestamp(start, ".")} --> ${timestamp(end, ".")}\n${voice}${text}\n`;
  });
  return ["WEBVTT\n", ...blocks].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** hh:mm:ss and milliseconds. */
function timestamp(seconds: number, mark: "," | "."): string {
  const ms = Math.round(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}`;
  return `${clock}${mark}${String(ms % 1000).padStart(3, "0")}`;
}
