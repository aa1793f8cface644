import { createConversationsApi } from "../api/conversations.ts";
import { createEnginesApi } from "../api/engines.ts";
import { createSpeechApi } from "../api/speech.ts";
import { createTranscriptionsApi } from "../api/transcriptions.ts";
import { call, send } from "./api.ts";

/** The calls of the signed-in pages, with the session's access token. */
export const transcriptionsApi = createTranscriptionsApi(call, send);
export const enginesApi = createEnginesApi(call);
export const conversationsApi = createConversationsApi(call);
export const speechApi = createSpeechApi(send);
