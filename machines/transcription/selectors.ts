import type { Transcription } from "#contract/index.ts";
import { allBegun, withAllBaseVersions } from "./base-versions.ts";
import { draftOfChanges, merged, type PersistedDraft, type Typing } from "./changes.ts";
import type { Step } from "./history.ts";
import type { transcriptionMachine } from "./machine.ts";
import { redoOf, undoOf } from "./rules.ts";

type Snapshot = ReturnType<typeof transcriptionMachine.getInitialSnapshot>;

/** null until it is loaded. */
export const selectTranscription = (snapshot: Snapshot): Transcription | null => snapshot.context.shown;
/** The server's version, without unsaved corrections; null until it is loaded. */
export const selectSaved = (snapshot: Snapshot): Transcription | null => snapshot.context.saved;
export const selectIsMissing = (snapshot: Snapshot): boolean => snapshot.matches("missing");
/** An error code of the contract; null unless loading failed. */
export const selectLoadError = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.loadError : null;
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.hasTag("saving");
/** An error code of the contract; null unless pending corrections failed to save. */
export const selectSaveError = (snapshot: Snapshot): string | null =>
  snapshot.hasTag("unsaved") || snapshot.hasTag("refused") ? snapshot.context.saveError : null;
/** The server would refuse them again: they must be changed or discarded. */
export const selectIsRefused = (snapshot: Snapshot): boolean => snapshot.hasTag("refused");
/** The language of a translation in progress; undefined for none, null while one is being hidden. */
export const selectTranslatingTo = (snapshot: Snapshot): string | null | undefined => snapshot.context.sending.targetLanguage;
/** The contents of the open fields, by the segment's index or "text". */
export const selectTyping = (snapshot: Snapshot): Typing => snapshot.context.typing;
/** The next undo and redo steps; null for none. */
export const selectUndo = (snapshot: Snapshot): Step | null => undoOf(snapshot.context) ?? null;
export const selectRedo = (snapshot: Snapshot): Step | null => redoOf(snapshot.context) ?? null;
/** Unsaved input; null when everything is saved. */
export const selectDraft = ({
  context: { sending, pending, typing, saved, shown, draftSpans },
}: Snapshot): PersistedDraft | null => draftOfChanges(merged(sending, pending), typing, { saved, shown }, draftSpans);

/** The same with the base versions of its texts, for the browser's storage. */
export function selectPersistedDraft(snapshot: Snapshot): PersistedDraft | null {
  const draft = selectDraft(snapshot);
  if (draft === null || snapshot.context.saved === null) return draft;
  const persisted = withAllBaseVersions(draft, snapshot.context.saved);
  return persisted.typing === undefined ? persisted : { ...persisted, begun: allBegun(snapshot.context) };
}
