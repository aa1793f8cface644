import type { Transcription } from "#contract/index.ts";
import type { Diarizer } from "#server/speech/index.ts";
import { eventually, getTranscription, type Person } from "#tests/server/harness.ts";

export type Request = Parameters<Diarizer["diarize"]>[0];
export type Found = Awaited<ReturnType<Diarizer["diarize"]>>;

/** One voice until `change` (s) and another after it; a single voice when one speaker is requested. */
export const twoVoices =
  (change: number) =>
  async (request: Request): Promise<Found> => ({
    turns: [
      { start: 0, end: change, speaker: 0 },
      { start: change, end: 1_000, speaker: request.speakers === 1 ? 0 : 1 },
    ],
    voices: [
      [1, 0],
      [0, 1],
    ].slice(0, request.speakers ?? 2),
    model: "scripted",
  });

export function scriptedDiarizer(diarize: (request: Request) => Promise<Found>): Diarizer & { asked: Request[] } {
  const asked: Request[] = [];
  return {
    asked,
    isAvailable: () => true,
    voiceModel: () => "scripted",
    diarize: (request) => {
      asked.push(request);
      return diarize(request);
    },
  };
}

/** Waits for the end of the diarization and returns the transcription. */
export function diarized(person: Person, id: string): Promise<Transcription> {
  return eventually(
    () => getTranscription(person, id),
    ({ progress }) => progress?.stage === "finished",
  );
}
