import { useTranslation } from "react-i18next";
import { type AudioTrack, languageCode } from "#contract/index.ts";
import { languageName } from "#src/i18n/format.ts";

/** The name of a sound track: its language and its title; "" if the file has neither. */
export function trackName({ language, title }: AudioTrack, locale: string): string {
  const spoken = language === null ? "" : languageName(languageCode(language), locale);
  if (title === null || title.toLowerCase() === spoken.toLowerCase()) return spoken || (title ?? "");
  return spoken === "" ? title : `${spoken} – ${title}`;
}

/** The sound tracks to choose from: the number and name of each. */
export function useTrackOptions(tracks: readonly AudioTrack[]): (readonly [number: number, name: string])[] {
  const { t, i18n } = useTranslation("app");
  return tracks.map((track, index) => {
    const number = index + 1;
    const name = trackName(track, i18n.language);
    return [number, name === "" ? t("soundTrack.number", { number }) : `${number}: ${name}`];
  });
}
