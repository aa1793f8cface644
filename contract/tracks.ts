import * as v from "valibot";
import { type SpeechLanguage, speechLanguages } from "./language.ts";

/** Most sound tracks considered. */
const maxTracks = 128;
/** The number of a sound track, counted from 1 in the file's order. */
export const TrackNumber = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxTracks));

/** One of several sound tracks in a recording, as its file describes it. */
export const AudioTrack = v.object({
  /** Language code, ISO 639 or BCP 47 ("eng", "pt-BR"); null when the file does not state it. */
  language: v.nullable(v.string()),
  title: v.nullable(v.string()),
  /** Whether the file marks it as the default. */
  isDefault: v.boolean(),
});
export type AudioTrack = v.InferOutput<typeof AudioTrack>;

/** Longest stored title of a track (characters). */
const titleCharacters = 100;

/** The file's description of a track. */
interface DescribedTrack {
  language?: string | undefined;
  title?: string | undefined;
  isDefault: boolean;
}

/** Keeps the usable parts: a language that is a code, and one short line of the title. */
export function audioTrack({ language = "und", title = "", isDefault }: DescribedTrack): AudioTrack {
  const isCode = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,3}$/i.test(language) && language !== "und";
  const line = title.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return { language: isCode ? language : null, title: [...line].slice(0, titleCharacters).join("") || null, isDefault };
}

/**
 * Number of the track that is used unless another is chosen: the file's first default track, or else its first track.
 */
export const defaultTrack = (tracks: readonly AudioTrack[]): number =>
  Math.max(
    0,
    tracks.findIndex(({ isDefault }) => isDefault),
  ) + 1;

/** The speech language of a track; undefined when the file does not state it, or it is not supported. */
export function trackLanguage({ language }: Pick<AudioTrack, "language">): SpeechLanguage | undefined {
  if (language === null) return undefined;
  const [code = ""] = languageCode(language).split("-");
  const spoken = norwegian.includes(code) ? "no" : code;
  return speechLanguages.find((known) => known !== "auto" && known.slice(0, 2).toLowerCase() === spoken);
}
/** Bokmål and Nynorsk. */
const norwegian: readonly string[] = ["nb", "nn"];

/** The canonical form of a language code: "de" for "ger" and "deu". */
export function languageCode(code: string): string {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? code;
  } catch {
    return code;
  }
}

/** Fields of a decoded recording with several sound tracks. */
export const soundTrackFields = {
  /** All tracks, in the file's order; absent for a single one. */
  tracks: v.optional(v.array(AudioTrack)),
  /** Number of the transcribed track. */
  track: v.optional(TrackNumber),
};

/** The same fields as the page accepts them. */
export const acceptedSoundTrackFields = {
  tracks: v.fallback(soundTrackFields.tracks, undefined),
  track: v.fallback(soundTrackFields.track, undefined),
} satisfies Record<keyof typeof soundTrackFields, v.GenericSchema>;
