import { endingOfType } from "#server/speech/media-type.ts";
import type { SummaryRow } from "./summary-queries.ts";

/** The name under which a transcription's audio is downloaded: the file's name, else the title. */
export function audioName({ file_name, title, audio_type }: Pick<SummaryRow, "file_name" | "title" | "audio_type">): {
  name: string;
  ending: string;
} {
  const [, name = "", ending = ""] = /^(.+)\.([A-Za-z0-9]{1,5})$/s.exec(file_name ?? "") ?? [];
  if (name !== "") return { name, ending };
  return { name: file_name || title, ending: endingOfType(audio_type) };
}
