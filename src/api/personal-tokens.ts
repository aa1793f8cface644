import { undefined as nothing } from "valibot";
import { CreatedPersonalToken, type NewPersonalToken, type PersonalToken, PersonalTokensAnswer } from "#contract/index.ts";
import type { Call } from "./http.ts";

const path = "/users/me/tokens";

/** The calls about personal access tokens. Each throws ApiError. */
export function createPersonalTokensApi(call: Call) {
  return {
    list: async (signal?: AbortSignal): Promise<readonly PersonalToken[]> =>
      (await call(path, { schema: PersonalTokensAnswer, signal })).tokens,
    /** The only answer with its secret. */
    create: (json: NewPersonalToken, signal?: AbortSignal): Promise<CreatedPersonalToken> =>
      call(path, { method: "POST", json, schema: CreatedPersonalToken, signal }),
    revoke: (id: string, signal?: AbortSignal): Promise<void> =>
      call(`${path}/${encodeURIComponent(id)}`, { method: "DELETE", schema: nothing(), signal }),
  };
}
