import { type DeclinedSuggestion, type SpeakerSuggestion, SuggestionsAnswer, VoiceProfilesAnswer } from "#contract/index.ts";
import type { Call } from "./http.ts";

const path = "/users/me/voice-profiles";
const one = (id: string) => `${path}/${encodeURIComponent(id)}`;
const suggestions = (id: string) => `/api/v1/audio-transcriptions/transcription/${encodeURIComponent(id)}/suggestions`;

/** The calls about the voices that a person has named. Each throws ApiError, and answers with the profiles as they are then. */
export function createVoiceProfilesApi(call: Call) {
  const schema = VoiceProfilesAnswer;
  return {
    get: (signal?: AbortSignal): Promise<VoiceProfilesAnswer> => call(path, { schema, signal }),
    /** Off: every profile and voice print is deleted. */
    turn: (enabled: boolean, signal?: AbortSignal): Promise<VoiceProfilesAnswer> =>
      call(path, { method: "PUT", json: { enabled }, schema, signal }),
    /** Throws the code `conflict` when another profile has the name. */
    rename: (id: string, name: string, signal?: AbortSignal): Promise<VoiceProfilesAnswer> =>
      call(one(id), { method: "PATCH", json: { name }, schema, signal }),
    remove: (id: string, signal?: AbortSignal): Promise<VoiceProfilesAnswer> =>
      call(one(id), { method: "DELETE", schema, signal }),
    removeAll: (signal?: AbortSignal): Promise<VoiceProfilesAnswer> => call(path, { method: "DELETE", schema, signal }),
  };
}

/** The calls about who the unnamed speakers of a transcription may be. Each throws ApiError. */
export function createSuggestionsApi(call: Call) {
  const listOf = async (answer: Promise<SuggestionsAnswer>): Promise<readonly SpeakerSuggestion[]> => (await answer).suggestions;
  return {
    list: (id: string, signal?: AbortSignal) => listOf(call(suggestions(id), { schema: SuggestionsAnswer, signal })),
    /** @returns those that are left */
    decline: (id: string, json: DeclinedSuggestion, signal?: AbortSignal) =>
      listOf(call(`${suggestions(id)}/declined`, { method: "POST", json, schema: SuggestionsAnswer, signal })),
  };
}
