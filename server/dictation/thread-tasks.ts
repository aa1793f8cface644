import { FinalTranscription } from "#contract/index.ts";
import { readBody } from "#server/transcription/thread-tasks.ts";

/** Runs in a thread (thread-tasks.ts), because the longest dictations take seconds. */
export const dictationTasks = {
  /** The body of save-final-transcription. @returns `end` of the last segment in seconds */
  readFinal: (body: Uint8Array) => {
    const { segments, ...final } = readBody(FinalTranscription, body);
    return { final, segments: JSON.stringify(segments), end: segments.at(-1)?.end ?? null };
  },
};
