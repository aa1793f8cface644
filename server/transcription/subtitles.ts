import type { Segment, Transcription } from "#contract/index.ts";
import { type Labels, oneLine, speakerName } from "./labels.ts";

/** One subtitle; times in seconds. */
interface Cue {
  start: number;
  end: number;
  /** The text, and its translation if any, each with its language where it differs from the transcription's. */
  lines: { text: string; language?: string | undefined }[];
  /** Empty without a speaker. */
  speaker: string;
  /** Whether the speaker has changed. */
  begins: boolean;
}

/** Two lines of 42 characters, what subtitles hold at most (BBC and Netflix guidelines). */
const cueLetters = 84;

function cuesOf(transcription: Transcription, labels: Labels): Cue[] {
  const spoken = transcription.segments.filter((segment) => segment.text.trim() !== "");
  if (spoken.length > 0) {
    return spoken.flatMap((segment, i) => {
      const speaker = speakerName(segment, labels);
      const begins = i === 0 || spoken[i - 1]?.speaker !== segment.speaker;
      return segmentCues(segment).map((cue, part) => ({ ...cue, speaker, begins: begins && part === 0 }));
    });
  }
  const text = oneLine(transcription.text);
  if (text === "") return [];
  // Typed text has no times: it is shown for the duration of the audio.
  const lines = [{ text }, { text: oneLine(transcription.translatedText) }].filter((line) => line.text !== "");
  return [{ start: 0, end: Math.max(1, transcription.durationSeconds ?? 1), lines, speaker: "", begins: false }];
}

/** Duration of typed text, which has none of its own: the time to read it (characters per second). */
const readingSpeed = 15;

/** Splits a long segment into several cues if its words have times. Translations have none, so with one it stays whole. */
function segmentCues({ start, end: spokenEnd, ...segment }: Segment): Pick<Cue, "start" | "end" | "lines">[] {
  const end = spokenEnd > start ? spokenEnd : start + Math.max(1, segment.text.length / readingSpeed);
  const translation = oneLine(segment.translation ?? "");
  const text = oneLine(segment.text);
  const { language, translationLanguage } = segment;
  if (translation !== "")
    return [
      {
        start,
        end,
        lines: [
          { text, language },
          { text: translation, language: translationLanguage },
        ],
      },
    ];
  if (text.length <= cueLetters || segment.words.length < 2) return [{ start, end, lines: [{ text, language }] }];
  const parts = Math.ceil(text.length / cueLetters);
  const cues: Pick<Cue, "start" | "end" | "lines">[] = [];
  let line = "";
  let from = start;
  segment.words.forEach((word, i) => {
    if (line === "") from = i === 0 ? start : word.start;
    line = line === "" ? word.text : `${line} ${word.text}`;
    const following = segment.words[i + 1];
    const full = line.length >= text.length / parts || line.length + 1 + (following?.text.length ?? 0) > cueLetters;
    if (following !== undefined && !full) return;
    cues.push({
      start: from,
      end: following === undefined ? end : word.end,
      lines: [{ text: oneLine(line), language }],
    });
    line = "";
  });
  return cues;
}

export function asSubRip(transcription: Transcription, labels: Labels): string {
  return cuesOf(transcription, labels)
    .map(({ start, end, lines, speaker, begins }, i) => {
      const prefix = begins && speaker !== "" ? `${speaker}: ` : "";
      // The format has no escapes; an arrow in the text would be parsed as timing.
      const text = `${prefix}${lines.map((line) => line.text).join("\n")}`.replaceAll("-->", "→");
      return `${i + 1}\n${timestamp(start, ",")} --> ${timestamp(end, ",")}\n${text}\n`;
    })
    .join("\n");
}

export function asWebVtt(transcription: Transcription, labels: Labels): string {
  const blocks = cuesOf(transcription, labels).map(({ start, end, lines, speaker }) => {
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
