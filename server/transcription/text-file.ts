import { plainTextOf, type Transcription } from "#contract/index.ts";
import { type Labels, languageName, speakerName } from "./labels.ts";

/** The transcript as a text file. */
export function asText(transcription: Transcription, labels: Labels): string {
  const names = {
    speaker: (segment: Pick<Transcription["segments"][number], "speaker">) => speakerName(segment, labels),
    language: (code: string) => languageName(code, labels),
  };
  return `${plainTextOf(transcription, names)}\n`;
}
