import type { EnginesAnswer } from "#contract/index.ts";
import { createEnginesApi } from "#src/api/engines.ts";
import { apiBase, createCall, createPlainSend } from "#src/api/http.ts";

const api = createEnginesApi(createCall(createPlainSend(apiBase, (input, init) => fetch(input, init))));

/** What the server hears and translates with, for whoever asks, signed in or not. @throws ApiError */
export function askEngines(): Promise<EnginesAnswer> {
  return api.engines();
}
