import type { Progress, TranscriptionSummary } from "#contract/index.ts";
import { isUnreadable } from "#machines/transcriptions/rules.ts";
import { type UploadFile, type UploadState, uploadStates } from "./events.ts";
import type { uploadMachine } from "./upload.ts";

type UploadSnapshot = ReturnType<typeof uploadMachine.getInitialSnapshot>;

export const selectState = (snapshot: UploadSnapshot): UploadState =>
  uploadStates.find((state) => snapshot.hasTag(state)) ?? "checking";
/** The same object for as long as it lives. */
export const selectFile = (snapshot: UploadSnapshot): UploadFile => snapshot.context.file;
/** Why it failed; null unless it did. */
export const selectFailure = (snapshot: UploadSnapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.code : null;
/** The warning of a finished one (`noSpeech`, `truncated`, `translationFailed`); null for none. */
export const selectWarning = (snapshot: UploadSnapshot): string | null =>
  snapshot.matches("completed") ? (snapshot.context.transcription?.error?.code ?? null) : null;
export const selectProgress = (snapshot: UploadSnapshot): Progress | null => snapshot.context.transcription?.progress ?? null;
/** null until the server has it. */
export const selectTranscriptionId = (snapshot: UploadSnapshot): string | null => snapshot.context.transcription?.id ?? null;
/** The transcription that the server has made of it; null until then. The same object until the next change. */
export const selectTranscription = (snapshot: UploadSnapshot): TranscriptionSummary | null => snapshot.context.transcription;
/** Whether the file can't be read and the server has nothing of it. */
export const selectIsUnreadable = (snapshot: UploadSnapshot): boolean =>
  snapshot.context.transcription === null && isUnreadable(selectFailure(snapshot));
/** Whether it may still become a transcription. */
export const selectIsUnderWay = (snapshot: UploadSnapshot): boolean =>
  snapshot.context.transcription === null && !selectIsUnreadable(snapshot);
export const selectText = (snapshot: UploadSnapshot): string => snapshot.context.transcription?.text ?? "";
export const selectCanRetry = (snapshot: UploadSnapshot): boolean => snapshot.can({ type: "retry.requested" });
export const selectCanCancel = (snapshot: UploadSnapshot): boolean => snapshot.can({ type: "cancel.requested" });
export const selectCanPause = (snapshot: UploadSnapshot): boolean => snapshot.can({ type: "pause.requested" });
export const selectCanResume = (snapshot: UploadSnapshot): boolean => snapshot.can({ type: "resume.requested" });
