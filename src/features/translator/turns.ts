import type { Segment, Transcription } from "#contract/index.ts";
import type { Side } from "#machines/translator/events.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";
import type { OutboxEntry } from "./outbox-entries.ts";

/** One turn of the conversation, as the page shows it. */
export interface Turn {
  id: string;
  side: Side;
  /** The source language as the contract's code, and the target language. */
  sourceLanguage: string;
  targetLanguage: string | null;
  segments: readonly Segment[];
  /** Whether some of its changes are not on the server yet. */
  isWaiting: boolean;
  /**
   * The turn's position in the conversation's audio, in seconds; null when it has no audio, or none that is playable
   * yet.
   */
  stretch: { start: number; end: number } | null;
}

/** The sides' languages, as codes of the contract. */
export type TurnLanguages = readonly [string, string];

/** The side with this language. The first side if neither has it, because the languages have been changed since. */
export function sideOf(language: string, [own, other]: TurnLanguages): Side {
  if (language === own) return 0;
  return language === other || (baseLanguage(language) === baseLanguage(other) && baseLanguage(language) !== baseLanguage(own))
    ? 1
    : 0;
}

/** The server's turns with local changes applied. @param changes of this conversation, oldest first */
export function turnsOf(
  transcription: Transcription | null,
  changes: readonly OutboxEntry[],
  languages: TurnLanguages,
): readonly Turn[] {
  const turns = new Map<string, Turn>();
  for (const segment of transcription?.segments ?? []) addSegment(turns, segment, transcription, languages);
  for (const change of changes) apply(turns, change, languages);
  return [...turns.values()];
}

function addSegment(
  turns: Map<string, Turn>,
  segment: Segment,
  transcription: Transcription | null,
  languages: TurnLanguages,
): void {
  const { turn: id, start, end, words } = segment;
  if (id === undefined) return;
  const sourceLanguage = segment.language ?? transcription?.sourceLanguage ?? "auto";
  const before = turns.get(id) ?? {
    id,
    sourceLanguage,
    side: sideOf(sourceLanguage, languages),
    segments: [],
    isWaiting: false,
    stretch: null,
    targetLanguage: segment.translationLanguage ?? transcription?.targetLanguage ?? null,
  };
  const isRecorded = transcription?.hasAudio === true && words.length > 0 && end > start;
  const stretch = isRecorded ? { start: before.stretch?.start ?? start, end } : before.stretch;
  turns.set(id, { ...before, segments: [...before.segments, segment], stretch });
}

function apply(turns: Map<string, Turn>, change: OutboxEntry, languages: TurnLanguages): void {
  const { turnId: id } = change;
  const before = turns.get(id);
  if (change.kind === "deletion") turns.delete(id);
  else if (change.kind === "turn") {
    const { sourceLanguage, targetLanguage, segments } = change.turn;
    // The server may have the turn already if only its answer was lost.
    if (before !== undefined) return;
    const side = sideOf(sourceLanguage, languages);
    turns.set(id, { id, side, sourceLanguage, targetLanguage, segments, isWaiting: true, stretch: null });
  } else if (before !== undefined) {
    const segments = before.segments.map((segment, index) => (index === change.index ? retold(segment, change.text) : segment));
    turns.set(id, { ...before, segments, isWaiting: true });
  }
}

/** The segment with a new text. Its translation is pending. */
function retold({ translation: _, ...segment }: Segment, text: string): Segment {
  return { ...segment, text };
}
