import * as v from "valibot";
import { SpeakerName } from "./transcription.ts";

/** Most profiles of an account, and most numbers of a voice print. Names are those of speakers (`SpeakerName`). */
export const voiceLimits = { profiles: 100, dimensions: 1_024 } as const;

/** A person whose voice is known. */
export const VoiceProfile = v.object({
  id: v.string(),
  name: v.string(),
  /** Number of recordings in which the user has named this person. */
  recordings: v.number(),
  /** ISO 8601, UTC: when it was created, and the date of its latest recording. */
  createdAt: v.string(),
  heardAt: v.string(),
  /**
   * Whether it was made with the present model for voices. Others are kept, and used again when their model is back.
   */
  current: v.boolean(),
});
export type VoiceProfile = v.InferOutput<typeof VoiceProfile>;

/**
 * GET /users/me/voice-profiles; also the response to each change: PUT (`VoiceProfilesSwitch`; off deletes every profile
 * and voice print), DELETE (every profile and voice print), PATCH and DELETE of …/{id}.
 */
export const VoiceProfilesAnswer = v.object({
  enabled: v.boolean(),
  /** Whether this server can distinguish voices. */
  available: v.boolean(),
  /** Sorted by name. */
  profiles: v.array(VoiceProfile),
});
export type VoiceProfilesAnswer = v.InferOutput<typeof VoiceProfilesAnswer>;

export const VoiceProfilesSwitch = v.object({ enabled: v.boolean() });
/** 409 `conflict`: another profile of the same model has this name. */
export const VoiceProfileChange = v.object({ name: SpeakerName });

/** A suggestion for an unnamed speaker of a transcription. */
export const SpeakerSuggestion = v.object({
  /** The transcript's label of the speaker ("1", "2", …). */
  speaker: v.string(),
  /** The profile's id. */
  profile: v.string(),
  name: v.string(),
});
export type SpeakerSuggestion = v.InferOutput<typeof SpeakerSuggestion>;

/** GET /api/v1/audio-transcriptions/transcription/{id}/suggestions; each speaker and each profile at most once. */
export const SuggestionsAnswer = v.object({ suggestions: v.array(SpeakerSuggestion) });
export type SuggestionsAnswer = v.InferOutput<typeof SuggestionsAnswer>;

/** POST …/suggestions/declined → SuggestionsAnswer: it is somebody else. Stored for this transcription. */
export const DeclinedSuggestion = v.object({ speaker: SpeakerName, profile: v.pipe(v.string(), v.uuid()) });
export type DeclinedSuggestion = v.InferOutput<typeof DeclinedSuggestion>;
