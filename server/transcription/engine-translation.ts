import type { Segment } from "#contract/index.ts";

// Until a job is finished, each segment that an engine has translated stores the language of its translation: the
// wished language may change in the meantime.

export function markEngineTranslation(segments: readonly Segment[], target: string): Segment[] {
  return segments.map((segment) => (segment.translation === undefined ? segment : { ...segment, translationLanguage: target }));
}

export const isEngineTranslated = ({ translation, translationLanguage }: Segment): boolean =>
  translation !== undefined && translationLanguage !== undefined;

/** The segments without these marks, if each one with words has its translation into `target`; else undefined. */
export function engineTranslated(segments: readonly Segment[], target: string): Segment[] | undefined {
  const isReady = (segment: Segment) =>
    segment.text.trim() === "" || (segment.translation !== undefined && segment.translationLanguage === target);
  if (segments.length === 0 || !segments.every(isReady)) return undefined;
  return segments.map(({ translationLanguage: _, ...segment }) => segment);
}
