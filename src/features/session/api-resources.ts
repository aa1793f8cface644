import { createEnginesApi, createSpeechApi } from "#src/api/engines.ts";
import { createTranscriptionsApi, createTrashApi } from "#src/api/transcriptions.ts";
import { createConversationsApi } from "#src/api/translator.ts";
import { call, ownCall, ownSend } from "./api.ts";

/** The API of the signed-in pages, called with the session's access token. */
export const transcriptionsApi = createTranscriptionsApi(ownCall, ownSend);
export const trashApi = createTrashApi(ownCall);
export const enginesApi = createEnginesApi(call);
export const conversationsApi = createConversationsApi(ownCall);
export const speechApi = createSpeechApi(ownSend);
