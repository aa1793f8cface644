import { undefined as nothing } from "valibot";
import { CreatedPersonalToken, type NewPersonalToken, PersonalTokensAnswer } from "#contract/index.ts";
import type { Call } from "./http.ts";

const path = "/users/me/tokens";

/** The calls about personal access tokens. Each throws ApiError. */
export function createPersonalTokensApi(call: Call) {
  return {
    list: async (signal?: AbortSignal) => (await call(path, { schema: PersonalTokensAnswer, signal })).tokens,
    /** The only answer that contains the token's secret. */
    create: (json: NewPersonalToken, signal?: AbortSignal) => call(path, { json, schema: CreatedPersonalToken, signal }),
    revoke: (id: string, signal?: AbortSignal) =>
      call(`${path}/${encodeURIComponent(id)}`, { method: "DELETE", schema: nothing(), signal }),
  };
}
