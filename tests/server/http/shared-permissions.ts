import { base } from "#tests/server/harness.ts";
import type { Call } from "./permissions.ts";

const transcription = `${base}/transcription/:id`;
const anybody = "200 200";

/**
 * What a route of one transcription answers to whoever it is shared with: for reading, and for correcting. Of all others (links, people,
 * retention, suggestions of names, what a language model has made, deletion …) they hear what anybody else does: there is nothing.
 */
export const sharedAnswers: Record<string, string> = {
  [`GET ${transcription}`]: anybody,
  [`GET ${transcription}/export`]: anybody,
  [`GET ${transcription}/events`]: anybody,
  [`GET ${transcription}/audio`]: anybody,
  [`POST ${transcription}/audio-access`]: "204 204",
  [`GET ${transcription}/peaks`]: anybody,
  // Each has notes of their own.
  [`GET ${transcription}/notes`]: anybody,
  [`PUT ${transcription}/notes/:note`]: anybody,
  [`DELETE ${transcription}/notes/:note`]: "204 204",
  "PUT /audio/remove-transcription/:id": "403 200",
};

/** Where the owner's call says nothing of theirs. */
export const sharedCalls: Record<string, Partial<Call>> = {
  "PUT /audio/remove-transcription/:id": { body: { edits: [] } },
};
