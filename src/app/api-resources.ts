import { createEnginesApi } from "../api/engines.ts";
import { createTranscriptionsApi } from "../api/transcriptions.ts";
import { call, send } from "./api.ts";

/** The calls of the signed-in pages, with the session's access token. */
export const transcriptionsApi = createTranscriptionsApi(call, send);
export const enginesApi = createEnginesApi(call);
