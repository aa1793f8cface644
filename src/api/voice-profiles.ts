import { type DeclinedSuggestion, SuggestionsAnswer, VoiceProfilesAnswer } from "#contract/index.ts";
import type { Call } from "./http.ts";
import { transcriptionPath } from "./paths.ts";

const path = "/users/me/voice-profiles";
const one = (id: string) => `${path}/${encodeURIComponent(id)}`;
const suggestions = (id: string) => `${transcriptionPath(id)}/suggestions`;

/** The calls about the voices that a person has named. Each throws ApiError, and answers with the profiles as they are then. */
export function createVoiceProfilesApi(call: Call) {
  const schema = VoiceProfilesAnswer;
  return {
    get: (signal?: AbortSignal) => call(path, { schema, signal }),
    /** Off: every profile and voice print is deleted. */
    turn: (enabled: boolean, signal?: AbortSignal) => call(path, { method: "PUT", json: { enabled }, schema, signal }),
    /** Throws the code `conflict` when another profile has the name. */
    rename: (id: string, name: string, signal?: AbortSignal) =>
      call(one(id), { method: "PATCH", json: { name }, schema, signal }),
    remove: (id: string, signal?: AbortSignal) => call(one(id), { method: "DELETE", schema, signal }),
    removeAll: (signal?: AbortSignal) => call(path, { method: "DELETE", schema, signal }),
  };
}

/** The calls about who the unnamed speakers of a transcription may be. Each throws ApiError. */
export function createSuggestionsApi(call: Call) {
  return {
    list: async (id: string, signal?: AbortSignal) =>
      (await call(suggestions(id), { schema: SuggestionsAnswer, signal })).suggestions,
    /** @returns those that are left */
    decline: async (id: string, json: DeclinedSuggestion, signal?: AbortSignal) =>
      (await call(`${suggestions(id)}/declined`, { json, schema: SuggestionsAnswer, signal })).suggestions,
  };
}
