import type { OtherText, Segment, SpeakerSuggestion } from "#contract/index.ts";
import type { Hit } from "#machines/transcription/find/rules.ts";
import type { PositionStore } from "#src/audio/position.ts";
import type { TranscriptPreferences } from "./preferences.ts";

/** Which passages get a name: all of this speaker, those from here on, or this one. */
export type NameReach = "everywhere" | "onward" | "here";

/** What is typed in a row: its text, or its translation. */
export type Field = "text" | "translation";

/** Actions of a row; a stable object while the transcription is open. */
export interface RowActions {
  /** Plays from there; in seconds. */
  seek(seconds: number): void;
  /** Opens a field with the caret there: an offset in its text, by default its end. */
  open(index: number, field: Field, caret?: number): void;
  type(index: number, field: Field, text: string): void;
  /** The focus has left the field; `stays`: only the window has lost it, and the field stays open. */
  save(index: number, field: Field, text: string, stays: boolean): void;
  /** By key: what is typed is saved, or given up (null). The focus goes to the row's tools. */
  close(index: number, field: Field, text: string | null): void;
  /** What somebody else has written is taken in place of the text, or left out. */
  settle(index: number, other: OtherText, take: boolean): void;
  /** At the caret; what stands before it, and the rest. */
  split(index: number, before: string, after: string): void;
  /** With the passage before it. */
  merge(index: number): void;
  /** null: removes the name. */
  name(index: number, name: string | null, reach: NameReach): void;
  /** The person says whether a speaker is who is suggested. */
  answer(suggestion: SpeakerSuggestion, yes: boolean): void;
  /** The form of a note of the segment opens; undefined where none are offered. */
  note?: ((segment: Segment) => void) | undefined;
}

/** What was found in one segment. */
export interface RowHits {
  text: readonly Hit[];
  translation: readonly Hit[];
}

/** Shared by all rows. */
export interface RowLook {
  position: PositionStore;
  /** Language codes of the transcription; a segment may have its own. */
  language: string;
  translationLanguage: string | null;
  view: TranscriptPreferences["view"];
  /** Whether there is audio to seek in, and a finished text to edit. */
  seekable: boolean;
  editable: boolean;
  actions: RowActions;
}
