import { plainTextOf, type Transcription } from "#contract/index.ts";
import { type Labels, languageName, speakerName } from "./labels.ts";
import { talkTimeOf } from "./talk-time.ts";

/** The transcript as a text file; where several people speak, with how long each does at its end. */
export function asText(transcription: Transcription, labels: Labels): string {
  const names = {
    speaker: (segment: Pick<Transcription["segments"][number], "speaker">) => speakerName(segment, labels),
    language: (code: string) => languageName(code, labels),
  };
  const talkTime = talkTimeOf(transcription.segments, labels);
  return `${plainTextOf(transcription, names)}\n${talkTime === "" ? "" : `\n${labels.talkTime}${labels.colon}${talkTime}\n`}`;
}
