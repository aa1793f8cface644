import { enterVocabulary, leaveVocabulary } from "#src/features/vocabulary/actor.ts";
import { loadTexts } from "#src/i18n/index.ts";
import { enterSettings as enter, leaveSettings as leave } from "./actor.ts";

// One module for the route, whose loader is in what every page loads.

/** The state of the page: the same until it is left. */
export async function enterSettings() {
  await loadTexts("vocabulary");
  return { settings: enter(), vocabulary: enterVocabulary() };
}

export function leaveSettings(): void {
  leave();
  leaveVocabulary();
}
