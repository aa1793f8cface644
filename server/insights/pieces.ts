import type { SpokenLine } from "#server/transcription/spoken-lines.ts";

/**
 * UTF-8 bytes per token, at the low end of what tokenizers need for European languages, and for Chinese or Japanese.
 */
const bytesPerToken = 3;

/** Roughly how many tokens a text has for a model: rather too many than too few. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/** A line as the model reads it: `[12] Anna: Let us begin.` Engines only number speakers. */
export function lineOf({ number, speaker, text }: Pick<SpokenLine, "number" | "speaker" | "text">): string {
  const who = speaker === null ? "" : `${/^\d+$/.test(speaker) ? `Speaker ${speaker}` : speaker}: `;
  return `[${number}] ${who}${text}`;
}

/**
 * Divides texts, in order, into groups of at most `budget` tokens, including line breaks. A longer text is a separate
 * group.
 * @returns the groups of the texts' items
 */
export function grouped<Item>(items: readonly Item[], textOf: (item: Item) => string, budget: number): Item[][] {
  const groups: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const tokens = tokensOf(`${textOf(item)}\n`);
    const group = groups.at(-1);
    if (group === undefined || tokens > room) {
      groups.push([item]);
      room = budget - tokens;
    } else {
      group.push(item);
      room -= tokens;
    }
  }
  return groups;
}

/**
 * Cuts a transcript into pieces that a model can read at once. A longer segment continues in the next piece, with the
 * same number.
 */
export function cutTranscript(lines: readonly SpokenLine[], budget: number): SpokenLine[][] {
  return grouped(
    lines.flatMap((line) => shortened(line, budget)),
    lineOf,
    budget,
  );
}

function shortened(line: SpokenLine, budget: number): SpokenLine[] {
  if (tokensOf(`${lineOf(line)}\n`) <= budget) return [line];
  // Each character has four bytes at most; the number and the name also need space.
  const most = Math.max(40, Math.floor(((budget - tokensOf(lineOf({ ...line, text: "" })) - 1) * bytesPerToken) / 4));
  const parts: SpokenLine[] = [];
  let rest = line.text;
  while (rest.length > most) {
    const space = rest.lastIndexOf(" ", most);
    const end = space > most / 2 ? space : wholeCharacters(rest, most);
    parts.push({ ...line, text: rest.slice(0, end) });
    rest = rest.slice(end).trimStart();
  }
  return rest === "" ? parts : [...parts, { ...line, text: rest }];
}

/** A place at or before `end` that does not divide a surrogate pair. */
function wholeCharacters(text: string, end: number): number {
  return (text.codePointAt(end - 1) ?? 0) > 0xff_ff ? end - 1 : end;
}
