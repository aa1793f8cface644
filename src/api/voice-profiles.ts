import { type DeclinedSuggestion, SuggestionsAnswer, VoiceProfilesAnswer } from "#contract/index.ts";
import type { Call } from "./http.ts";
import { transcriptionPath } from "./paths.ts";

const path = "/users/me/voice-profiles";
const one = (id: string) => `${path}/${encodeURIComponent(id)}`;
const suggestions = (id: string) => `${transcriptionPath(id)}/suggestions`;

/** The calls about voices that the user has named. Each throws ApiError, and answers with the updated profiles. */
export function createVoiceProfilesApi(call: Call) {
  const schema = VoiceProfilesAnswer;
  return {
    get: (signal?: AbortSignal) => call(path, { schema, signal }),
    /** Turns voice profiles on or off. Turning them off deletes every profile and voice print. */
    turn: (enabled: boolean, signal?: AbortSignal) => call(path, { method: "PUT", json: { enabled }, schema, signal }),
    /** Throws `conflict` when another profile has the name. */
    rename: (id: string, name: string, signal?: AbortSignal) =>
      call(one(id), { method: "PATCH", json: { name }, schema, signal }),
    remove: (id: string, signal?: AbortSignal) => call(one(id), { method: "DELETE", schema, signal }),
    removeAll: (signal?: AbortSignal) => call(path, { method: "DELETE", schema, signal }),
  };
}

/** The calls about suggested names for a transcription's unnamed speakers. Each throws ApiError. */
export function createSuggestionsApi(call: Call) {
  return {
    list: async (id: string, signal?: AbortSignal) =>
      (await call(suggestions(id), { schema: SuggestionsAnswer, signal })).suggestions,
    /** @returns the remaining suggestions */
    decline: async (id: string, json: DeclinedSuggestion, signal?: AbortSignal) =>
      (await call(`${suggestions(id)}/declined`, { json, schema: SuggestionsAnswer, signal })).suggestions,
  };
}
