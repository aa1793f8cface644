import type { SnapshotFrom } from "xstate";
import type { FinalTranscription } from "#contract/index.ts";
import {
  type RecorderActor,
  selectEndedAtLimit,
  selectEndedInSilence,
  selectHasDisplayEnded,
  selectRecognitionProblem,
  selectWasUnplugged,
} from "#machines/dictation/selectors.ts";
import type { CaptionLine } from "#src/audio/captions.ts";
import { finalTranscriptionOf } from "#src/audio/final-transcription.ts";
import type { RecordingRow } from "#src/audio/recording-db.ts";
import { type Toast, toast } from "#src/browser/toasts.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { saveFinal, unsaved } from "#src/features/transcriptions/unsaved.ts";
import { dateTime } from "#src/i18n/format.ts";
import { i18n } from "#src/i18n/index.ts";
import { createRecorder, type Recorder, type RecorderAdapter } from "./recorder-actor.ts";
import { showTranscript } from "./saved-transcript.ts";
import { noteWaitingRecordings } from "./waiting.ts";

const finalOf = (row: RecordingRow, lines: readonly CaptionLine[]): FinalTranscription =>
  finalTranscriptionOf(row, lines, dateOf);

/** The title of a recording without words: its date. @param iso ISO 8601 */
export const dateOf = (iso: string): string => dateTime(iso, i18n.language);

/** Saves a discarded recording without its content, then deletes it. */
export async function deleteRecording(row: RecordingRow, signal: AbortSignal): Promise<void> {
  const { id } = await saveFinal(finalOf(row, []), signal);
  await transcriptionsApi.remove(id, signal);
}

/** The adapter for dictation: every recording becomes its own transcription. */
const adapter: RecorderAdapter<FinalTranscription> = {
  database: "parlance-recordings",
  noteWaiting: noteWaitingRecordings,
  unsaved: { get: () => unsaved.list().length, subscribe: unsaved.subscribe },
  saving: {
    finalOf,
    unsaved,
    saveFinal: async (transcription, signal) => (await saveFinal(transcription, signal)).id,
    deleteOnServer: deleteRecording,
  },
};

// After signing out, the same user may resume a recording. Another user may not, because the text would be saved as
// theirs.
const recorders = perOwner<Recorder>({ end: (recorder) => recorder.stop(), signedOut: () => {} });

/**
 * The page's recorder, one for each user. It outlives the route: it finishes and saves while the user is on another
 * page.
 */
export function openRecorder(): Recorder {
  return recorders.open(createDictation);
}

function createDictation(): Recorder {
  const recorder = createRecorder({
    ...adapter,
    openTranscript: async (id, signal) => {
      const isShown = await showTranscript(id, signal);
      if (isShown) toast(outcomeOf(recorder.actor.getSnapshot()));
      return isShown;
    },
  });
  return recorder;
}

/** The toast of a finished recording: it was saved, or why it ended. The page that would have shown this is gone. */
function outcomeOf(snapshot: SnapshotFrom<RecorderActor>): Toast {
  const problem = selectRecognitionProblem(snapshot);
  const kind = "warning";
  if (selectEndedAtLimit(snapshot)) {
    return { kind, key: `app:speech.${selectEndedInSilence(snapshot) ? "silenceStopped" : "limitStopped"}` };
  }
  if (selectWasUnplugged(snapshot)) return { kind, key: "app:speech.microphone.unplugged" };
  if (selectHasDisplayEnded(snapshot)) return { kind: "plain", key: "dictation:source.ended" };
  return problem === null ? { kind: "success", key: "app:speech.state.saved" } : { kind, key: `dictation:problem.${problem}` };
}

/** Called when the user leaves the route. */
export function leaveRecorder(): void {
  recorders.opened()?.leave();
}
