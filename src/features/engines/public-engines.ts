import type { EnginesAnswer } from "#contract/index.ts";
import { createEnginesApi } from "#src/api/engines.ts";
import { apiBase, createCall, createPlainSend } from "#src/api/http.ts";

const api = createEnginesApi(createCall(createPlainSend(apiBase, (input, init) => fetch(input, init))));

/** The server's engines. Needs no sign-in. @throws ApiError */
export function askEngines(): Promise<EnginesAnswer> {
  return api.engines();
}
