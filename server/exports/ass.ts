import type { Labels } from "#contract/exports/labels.ts";
import { cuesOf } from "#contract/exports/subtitles/cues.ts";
import { type ExportContent, type Segment, type Transcription, usualLook } from "#contract/index.ts";
import { withShortLetters } from "./short-letters.ts";

interface Look {
  labels: Labels;
  content: ExportContent;
  /** The picture's width divided by its height. */
  aspect: number;
}

/**
 * The script's own width, in units of its sizes; its height follows from the picture's shape, so that letters are not
 * stretched.
 */
const width = 1280;

/**
 * Subtitles to be drawn into a picture, as libass reads them (Advanced SubStation Alpha). They are cut as in the other
 * formats, and each new speaker is named. No text has a meaning for libass: it can be neither a command nor another
 * line of the file.
 */
export function asAss({ segments, ...facts }: Transcription, { labels, content, aspect }: Look): string {
  const transcription = { ...facts, text: withShortLetters(facts.text), segments: segments.map(drawn) };
  // On a phone's upright picture as many letters have to fit into a line of half the width.
  const size = aspect < 1 ? 58 : 46;
  const style = `Style: Default,sans-serif,${size},&H00FFFFFF,&H00FFFFFF,&H00101010,&H80000000,0,0,0,0,100,100,0,0,1,3,1,2,40,40,36,1`;
  const lines = cuesOf(transcription, { labels, content, names: true, look: usualLook }).map(({ start, end, lines: shown }) => {
    const text = shown.map((line) => sayable(line.text)).join("\\N");
    return `Dialogue: 0,${clock(start)},${clock(end)},Default,,0,0,0,,${text}`;
  });
  return [
    "[Script Info]",
    "ScriptType: v4.00+",
    "WrapStyle: 0",
    "ScaledBorderAndShadow: yes",
    `PlayResX: ${width}`,
    `PlayResY: ${Math.round(width / aspect)}`,
    "",
    "[V4+ Styles]",
    "Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding",
    style,
    "",
    "[Events]",
    "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text",
    ...lines,
    "",
  ].join("\n");
}

const drawn = ({ translation, ...segment }: Segment): Segment => ({
  ...segment,
  text: withShortLetters(segment.text),
  ...(translation !== undefined && { translation: withShortLetters(translation) }),
});

/**
 * Escapes a text so that libass draws every letter: a brace is escaped, a backslash is separated from the next
 * character by an invisible one (as in mpv), and a line break becomes a space.
 */
function sayable(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replaceAll("\\", "\\\u2060")
    .replaceAll("{", "\\{")
    .replaceAll("}", "\\}");
}

/** h:mm:ss and hundredths. */
function clock(seconds: number): string {
  const hundredths = Math.round(seconds * 100);
  const two = (value: number) => String(value).padStart(2, "0");
  const minutes = Math.floor(hundredths / 6_000);
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(Math.floor(hundredths / 100) % 60)}.${two(hundredths % 100)}`;
}
