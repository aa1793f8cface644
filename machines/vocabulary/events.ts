import type { AutosaveEvent, AutosaveTag, SaveFailed } from "#machines/autosave.ts";

export type VocabularyEvent =
  | AutosaveEvent
  /** The person types or pastes. */
  | { type: "text.changed"; text: string }
  /** The person chose a file whose lines are added. */
  | { type: "file.chosen"; file: Blob & { name: string } }
  /** The person leaves the field, or retries. */
  | { type: "save.requested" }
  | { type: "reload.requested" };

/** Emitted to the page. */
export type VocabularyEmitted =
  | SaveFailed
  /** The vocabulary was also changed elsewhere: the lines of both versions are kept. */
  | { type: "vocabulary.merged" }
  /** Lines were added from a file; `count` is the number of new ones. */
  | { type: "lines.imported"; count: number }
  | { type: "import.failed"; code: string };

/** The server does not know vocabularies. */
export type VocabularyTag = AutosaveTag | "unavailable";
