import { useTranslation } from "react-i18next";
import type { AudioTrack } from "#contract/index.ts";
import { trackName } from "#src/i18n/format.ts";

/** The sound tracks of a recording to choose from: the number of each, and what it is called. */
export function useTrackOptions(tracks: readonly AudioTrack[]): (readonly [number: number, name: string])[] {
  const { t, i18n } = useTranslation("app");
  return tracks.map((track, index) => {
    const number = index + 1;
    const name = trackName(track, i18n.language);
    return [number, name === "" ? t("soundTrack.number", { number }) : `${number}: ${name}`];
  });
}
