import { enterVocabulary, leaveVocabulary } from "#src/features/vocabulary/actor.ts";
import { enterVoiceProfiles, leaveVoiceProfiles } from "#src/features/voice-profiles/actor.ts";
import { loadTexts } from "#src/i18n/index.ts";
import { enterSettings as enter, leaveSettings as leave } from "./actor.ts";

// One module for the route, whose loader is in what every page loads.

/** The state of the page: the same until it is left. */
export async function enterSettings() {
  await Promise.all([loadTexts("vocabulary"), loadTexts("voice-profiles")]);
  return { settings: enter(), vocabulary: enterVocabulary(), voices: enterVoiceProfiles() };
}

export function leaveSettings(): void {
  leave();
  leaveVocabulary();
  leaveVoiceProfiles();
}
