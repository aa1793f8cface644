import type { Transcription } from "#contract/index.ts";
import { shownFileTitle } from "#src/features/transcriptions/shown-title.ts";
import { i18n } from "#src/i18n/index.ts";

const say = (key: string): string => i18n.t(`app:${key}`);

/** What a file of it is called, without its ending; undefined: as it is titled, which the server knows. */
export function fileTitleNow(transcription: Transcription | null): string | undefined {
  if (transcription === null) return undefined;
  const name = shownFileTitle(transcription, say, i18n.language);
  return name === transcription.title ? undefined : name;
}
