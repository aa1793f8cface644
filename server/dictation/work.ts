import { FinalTranscription } from "#contract/index.ts";
import { readBody } from "#server/transcription/work.ts";

/** Runs in a thread (thread-work.ts), because the longest dictations take seconds. */
export const dictationWork = {
  /** The body of save-final-transcription. @returns `end` of the last segment in seconds */
  readFinal: (body: Uint8Array) => {
    const { segments, ...final } = readBody(FinalTranscription, body);
    return { final, segments: JSON.stringify(segments), end: segments.at(-1)?.end ?? null };
  },
};
