import * as v from "valibot";
import { SpeakerName } from "./transcription.ts";

/** At most this many profiles an account has, and this many numbers a voice print. Names are those of speakers (`SpeakerName`). */
export const voiceLimits = { profiles: 100, dimensions: 1_024 } as const;

/** Somebody whose voice is known. */
export const VoiceProfile = v.object({
  id: v.string(),
  name: v.string(),
  /** In how many recordings the person has named them. */
  recordings: v.number(),
  /** ISO 8601, UTC: when it was made, and the date of the latest of these recordings. */
  createdAt: v.string(),
  heardAt: v.string(),
  /** Made with the model that compares voices now: others are kept, and compared again when their model is back. */
  current: v.boolean(),
});
export type VoiceProfile = v.InferOutput<typeof VoiceProfile>;

/**
 * GET /users/me/voice-profiles; also the answer to each change of them: PUT (`VoiceProfilesSwitch`; off deletes every profile and voice
 * print), DELETE (every profile and voice print), PATCH and DELETE of …/{id}.
 */
export const VoiceProfilesAnswer = v.object({
  enabled: v.boolean(),
  /** Whether this server can tell voices apart. */
  available: v.boolean(),
  /** By name. */
  profiles: v.array(VoiceProfile),
});
export type VoiceProfilesAnswer = v.InferOutput<typeof VoiceProfilesAnswer>;

export const VoiceProfilesSwitch = v.object({ enabled: v.boolean() });
/** 409 `conflict`: another one of the same model has this name. */
export const VoiceProfileChange = v.object({ name: SpeakerName });

/** Who an unnamed speaker of a transcription may be. */
export const SpeakerSuggestion = v.object({
  /** As the transcript calls the speaker ("1", "2", …). */
  speaker: v.string(),
  /** The profile's id. */
  profile: v.string(),
  name: v.string(),
});
export type SpeakerSuggestion = v.InferOutput<typeof SpeakerSuggestion>;

/** GET /api/v1/audio-transcriptions/transcription/{id}/suggestions; each speaker and each profile at most once. */
export const SuggestionsAnswer = v.object({ suggestions: v.array(SpeakerSuggestion) });
export type SuggestionsAnswer = v.InferOutput<typeof SuggestionsAnswer>;

/** POST …/suggestions/declined → SuggestionsAnswer: this is somebody else. It is remembered for this transcription. */
export const DeclinedSuggestion = v.object({ speaker: SpeakerName, profile: v.pipe(v.string(), v.uuid()) });
export type DeclinedSuggestion = v.InferOutput<typeof DeclinedSuggestion>;
