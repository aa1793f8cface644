import { type Segment, type Span, spanOf } from "#contract/index.ts";
import { type ByIndex, touchedBy } from "./passages.ts";

/** The places of the segments that a person's changes and open fields name, by index. */
export type Spans = Readonly<Record<number, Span>>;

/** The contents of open fields, by index where they are a segment's. */
type Fields = Readonly<Record<string, string>>;

/** A field of a segment, by its key: of its text ("3"), or of its translation ("translation:3"). */
interface Field {
  index: number;
  prefix: "" | "translation:";
}

/** undefined: the field of a whole text. */
export function fieldOf(key: string): Field | undefined {
  const prefix = key.startsWith("translation:") ? "translation:" : "";
  const index = Number(key.slice(prefix.length));
  return Number.isInteger(index) ? { index, prefix } : undefined;
}

/** The indices of the segments whose fields are open. */
export const openIn = (typing: Fields): number[] => Object.keys(typing).flatMap((key) => fieldOf(key)?.index ?? []);

const namedIn = ({ edits, speakers, translations, regroups }: ByIndex): number[] => [
  ...Object.keys({ ...edits, ...speakers, ...translations }).map(Number),
  ...touchedBy(regroups),
];

/** The spans of what changes and open fields name. */
export function spansOf(segments: readonly Segment[], changes: ByIndex, typing: Fields = {}): Spans {
  const indices = new Set([...namedIn(changes), ...openIn(typing)]);
  return Object.fromEntries(
    [...indices].flatMap((index) => {
      const segment = segments[index];
      return segment === undefined ? [] : [[index, spanOf(segment)]];
    }),
  );
}
