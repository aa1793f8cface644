import { isAt, partsWithin, regrouped, type Segment, type Span, spanOf, type Transcription } from "#contract/index.ts";

/** Where the segments are that a person's changes and open fields name, by index. */
export type Spans = Readonly<Record<number, Span>>;

/** Changes that name segments by index. */
interface ByIndex {
  edits: Readonly<Record<number, string>>;
  speakers?: Readonly<Record<number, string | null>>;
}

/** The contents of open fields, by index where they are a segment's. */
type Fields = Readonly<Record<string, string>>;

interface Named<Changes> {
  sending: Changes;
  pending: Changes;
  typing: Fields;
}

const correctedIn = ({ edits }: ByIndex): number[] => Object.keys(edits).map(Number);
const namedIn = ({ edits, speakers = {} }: ByIndex): number[] => Object.keys({ ...edits, ...speakers }).map(Number);
const openIn = (typing: Fields): number[] => Object.keys(typing).map(Number).filter(Number.isInteger);

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

/**
 * The server's transcription and a person's unsaved changes as they belong together: where segments have been divided since (it has been
 * found out who speaks), a corrected one stays whole, and all parts of a named one get the name.
 * @param spans where the named segments were; undefined: where nothing was divided
 */
export function followed<Changes extends ByIndex>(
  saved: Transcription,
  { sending, pending, typing }: Named<Changes>,
  spans: Spans,
): { saved: Transcription } & Named<Changes> {
  const known = new Map(Object.entries(spans).map(([index, span]) => [Number(index), span]));
  const { segments } = saved;
  if ([...known].every(([index, span]) => isAt(segments, index, span))) return { saved, sending, pending, typing };
  const corrected = new Set([...correctedIn(sending), ...correctedIn(pending), ...openIn(typing)]);
  const whole = regrouped(segments, new Map([...known].filter(([index]) => corrected.has(index))));
  const place = (index: number): number => whole.indexOf(index) ?? index;
  const parts = (index: number): readonly number[] => {
    const span = known.get(index);
    return span === undefined ? [index] : partsWithin(whole.segments, span);
  };
  const moved = (changes: Changes): Changes => ({
    ...changes,
    edits: Object.fromEntries(Object.entries(changes.edits).map(([index, text]) => [place(Number(index)), text])),
    ...(changes.speakers && {
      speakers: Object.fromEntries(
        Object.entries(changes.speakers).flatMap(([index, name]) => parts(Number(index)).map((part) => [part, name])),
      ),
    }),
  });
  const fields = Object.entries(typing).map(([key, text]) => [Number.isInteger(Number(key)) ? place(Number(key)) : key, text]);
  return {
    saved: { ...saved, segments: [...whole.segments] },
    sending: moved(sending),
    pending: moved(pending),
    typing: Object.fromEntries(fields),
  };
}
