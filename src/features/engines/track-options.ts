import { useTranslation } from "react-i18next";
import { type AudioTrack, languageCode } from "#contract/index.ts";
import { languageName } from "#src/i18n/format.ts";

/** What tells a sound track apart: its language and its title; "" where the file says neither. */
export function trackName({ language, title }: AudioTrack, locale: string): string {
  const spoken = language === null ? "" : languageName(languageCode(language), locale);
  if (title === null || title.toLowerCase() === spoken.toLowerCase()) return spoken || (title ?? "");
  return spoken === "" ? title : `${spoken} – ${title}`;
}

/** The sound tracks of a recording to choose from: the number of each, and what it is called. */
export function useTrackOptions(tracks: readonly AudioTrack[]): (readonly [number: number, name: string])[] {
  const { t, i18n } = useTranslation("app");
  return tracks.map((track, index) => {
    const number = index + 1;
    const name = trackName(track, i18n.language);
    return [number, name === "" ? t("soundTrack.number", { number }) : `${number}: ${name}`];
  });
}
