import { createConversationsApi } from "#src/api/conversations.ts";
import { createEnginesApi } from "#src/api/engines.ts";
import { createSpeechApi } from "#src/api/speech.ts";
import { createTranscriptionsApi } from "#src/api/transcriptions.ts";
import { createTrashApi } from "#src/api/trash.ts";
import { call, ownCall, ownSend } from "./api.ts";

/** The calls of the signed-in pages, with the session's access token. */
export const transcriptionsApi = createTranscriptionsApi(ownCall, ownSend);
export const trashApi = createTrashApi(ownCall);
export const enginesApi = createEnginesApi(call);
export const conversationsApi = createConversationsApi(ownCall);
export const speechApi = createSpeechApi(ownSend);
