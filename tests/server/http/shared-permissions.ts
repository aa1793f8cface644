import { base } from "#tests/server/harness.ts";
import type { Call } from "./permissions.ts";

const transcription = `${base}/transcription/:id`;
const anybody = "200 200";

/**
 * Answers of a transcription's route to people it is shared with: for reading, and for correcting. All other routes
 * (links, people, retention, suggestions of names, insights, deletion …) answer them "not found", as anybody else.
 */
export const sharedAnswers: Record<string, string> = {
  [`GET ${transcription}`]: anybody,
  [`GET ${transcription}/export`]: anybody,
  [`GET ${transcription}/events`]: anybody,
  [`GET ${transcription}/audio`]: anybody,
  [`POST ${transcription}/audio-access`]: "204 204",
  [`GET ${transcription}/peaks`]: anybody,
  // Each person has their own notes.
  [`GET ${transcription}/notes`]: anybody,
  [`PUT ${transcription}/notes/:note`]: anybody,
  [`DELETE ${transcription}/notes/:note`]: "204 204",
  "PUT /audio/remove-transcription/:id": "403 200",
};

/** Other bodies for calls in which the owner's body does not test the role. */
export const sharedCalls: Record<string, Partial<Call>> = {
  "PUT /audio/remove-transcription/:id": { body: { edits: [] } },
};
