import type { OtherText, Segment, SpeakerSuggestion } from "#contract/index.ts";
import type { Hit } from "#machines/transcription/find/rules.ts";
import type { PositionStore } from "#src/audio/position.ts";
import type { TranscriptPreferences } from "./preferences.ts";

/** Which passages get a name: all of this speaker, those from here on, or only this one. */
export type NameReach = "everywhere" | "onward" | "here";

/** The fields of a row. */
export type Field = "text" | "translation";

/** Actions of a row. The object is stable while the transcription is open. */
export interface RowActions {
  /** Plays from this second. */
  seek(seconds: number): void;
  /** Opens a field. @param caret offset in its text; default: its end */
  open(index: number, field: Field, caret?: number): void;
  type(index: number, field: Field, text: string): void;
  /** Called when the field loses the focus. `stays`: only the window has lost it, and the field stays open. */
  save(index: number, field: Field, text: string, stays: boolean): void;
  /** Called when a key closes the field: saves the text, or discards it (null). The focus moves to the row's tools. */
  close(index: number, field: Field, text: string | null): void;
  /** Takes another user's text in place of this one, or dismisses it. */
  settle(index: number, other: OtherText, take: boolean): void;
  /** Splits at the caret, into the text before it and the rest. */
  split(index: number, before: string, after: string): void;
  /** Merges the passage with the previous one. */
  merge(index: number): void;
  /** @param name null: removes the name */
  name(index: number, name: string | null, reach: NameReach): void;
  /** Confirms or rejects a suggested speaker. */
  answer(suggestion: SpeakerSuggestion, yes: boolean): void;
  /** Opens the form of a note on the segment; undefined if the page offers no notes. */
  note?: ((segment: Segment) => void) | undefined;
}

/** The search hits in one segment. */
export interface RowHits {
  text: readonly Hit[];
  translation: readonly Hit[];
}

/** Settings shared by all rows. */
export interface RowLook {
  position: PositionStore;
  /** Language codes of the transcription; a segment may have its own. */
  language: string;
  translationLanguage: string | null;
  view: TranscriptPreferences["view"];
  /** `seekable`: there is audio to seek in. `editable`: the text is finished and may be edited. */
  seekable: boolean;
  editable: boolean;
  actions: RowActions;
}
