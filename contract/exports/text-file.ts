import { plainTextOf, type Transcription } from "#contract/index.ts";
import { type Labels, languageName, speakerName } from "./labels.ts";
import { clock, talkTimeOf } from "./talk-time.ts";

/**
 * The transcript as a text file. With several speakers, their talk times are at the end. @param times whether each
 * passage begins with its time
 */
export function asText(transcription: Transcription, labels: Labels, times = false): string {
  const names = {
    speaker: (segment: Pick<Transcription["segments"][number], "speaker">) => speakerName(segment, labels),
    language: (code: string) => languageName(code, labels),
    ...(times && { time: ({ start }: { start: number }) => clock(start) }),
  };
  const talkTime = talkTimeOf(transcription.segments, labels);
  return `${plainTextOf(transcription, names)}\n${talkTime === "" ? "" : `\n${labels.talkTime}${labels.colon}${talkTime}\n`}`;
}
