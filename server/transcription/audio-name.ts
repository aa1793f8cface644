import type { SummaryRow } from "./summary-queries.ts";

/** What a file of this type is called; most come with a name of their own. */
const endings: Readonly<Record<string, string>> = {
  "audio/aac": "aac",
  "audio/flac": "flac",
  "audio/mp4": "m4a",
  "audio/mpeg": "mp3",
  "audio/ogg": "ogg",
  "audio/wav": "wav",
  "audio/webm": "webm",
  "audio/x-matroska": "mka",
  "video/mp2t": "ts",
  "video/mp4": "mp4",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "video/x-matroska": "mkv",
};

/** The name under which a transcription's audio is downloaded: the file's own, else the title. */
export function audioName({ file_name, title, audio_type }: Pick<SummaryRow, "file_name" | "title" | "audio_type">): {
  name: string;
  ending: string;
} {
  const [, name = "", ending = ""] = /^(.+)\.([A-Za-z0-9]{1,5})$/s.exec(file_name ?? "") ?? [];
  if (name !== "") return { name, ending };
  return { name: file_name || title, ending: endings[audio_type ?? ""] ?? "bin" };
}
