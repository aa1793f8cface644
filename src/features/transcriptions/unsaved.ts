import * as v from "valibot";
import { FinalTranscription, type Transcription } from "#contract/index.ts";
import { ApiError } from "#src/api/http.ts";
import { createPersistedOutbox } from "#src/browser/outbox.ts";
import { currentUserId } from "#src/features/session/actor.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";

const Persisted = v.object({ ownerId: v.string(), transcription: FinalTranscription });

/** What was dictated and could not be saved yet, kept in this browser until the server has it; newest first. */
export const unsaved = createPersistedOutbox<FinalTranscription>({
  owner: currentUserId,
  /** SPEC.md section 3, "Transcription list state": the local list's key. */
  key: "transcriptions",
  parse: (entry) => {
    const kept = v.safeParse(Persisted, entry);
    return kept.success ? { ownerId: kept.output.ownerId, item: kept.output.transcription } : undefined;
  },
  write: (ownerId, transcription) => ({ ownerId, transcription }) satisfies v.InferOutput<typeof Persisted>,
  first: true,
});

/** Saves one, and takes it off the local list. Saving the same `clientId` twice saves once. @throws ApiError; 401 for somebody else's */
export async function saveFinal(transcription: FinalTranscription, signal?: AbortSignal): Promise<Transcription> {
  // Who has read the list may have left while the one before was on its way.
  const { clientId } = transcription;
  const isMine = unsaved.list().some((mine) => mine.clientId === clientId);
  if (unsaved.has(clientId) && !isMine) throw new ApiError(401, "unauthorized", "It is somebody else's.");
  const saved = await transcriptionsApi.saveFinal(transcription, signal);
  unsaved.drop(clientId);
  return saved;
}
