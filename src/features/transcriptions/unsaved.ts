import * as v from "valibot";
import { FinalTranscription, type Transcription } from "#contract/index.ts";
import { ApiError } from "#src/api/http.ts";
import type { TranscriptionsApi } from "#src/api/transcriptions.ts";
import { createPersistedOutbox, type PersistedOutbox } from "#src/browser/outbox.ts";
import type { PageStorage } from "#src/browser/storage.ts";
import { currentUserId } from "#src/features/session/actor.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";

const Persisted = v.object({ ownerId: v.string(), transcription: FinalTranscription });

interface UnsavedEnvironment {
  /** The signed-in user's id; null: nobody. */
  owner(): string | null;
  save: TranscriptionsApi["saveFinal"];
  storage?: PageStorage;
}

export interface Unsaved {
  /** Dictations persisted in this browser until the server has saved them; newest first. */
  unsaved: PersistedOutbox<FinalTranscription>;
  /**
   * Saves a dictation and removes it from the local list. Idempotent by `clientId`.
   * @throws ApiError; 401 for another user's dictation
   */
  saveFinal(transcription: FinalTranscription, signal?: AbortSignal): Promise<Transcription>;
}

export function createUnsaved({ owner, save, storage }: UnsavedEnvironment): Unsaved {
  const unsaved = createPersistedOutbox<FinalTranscription>({
    owner,
    first: true,
    ...(storage && { storage }),
    /** The local list's key in SPEC.md section 3, "Transcription list state". */
    key: "transcriptions",
    parse: (entry) => {
      const parsed = v.safeParse(Persisted, entry);
      return parsed.success ? { ownerId: parsed.output.ownerId, item: parsed.output.transcription } : undefined;
    },
    write: (ownerId, transcription) => ({ ownerId, transcription }) satisfies v.InferOutput<typeof Persisted>,
  });
  const saveFinal: Unsaved["saveFinal"] = async (transcription, signal) => {
    // The user may have signed out while the previous one was being sent.
    const { clientId } = transcription;
    const isMine = unsaved.list().some((mine) => mine.clientId === clientId);
    if (unsaved.has(clientId) && !isMine) throw new ApiError(401, "unauthorized", "It is somebody else's.");
    const saved = await save(transcription, signal);
    unsaved.drop(clientId);
    return saved;
  };
  return { unsaved, saveFinal };
}

/** The page's instance. */
export const { unsaved, saveFinal } = createUnsaved({ owner: currentUserId, save: transcriptionsApi.saveFinal });
