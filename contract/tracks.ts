import * as v from "valibot";
import { type SpeechLanguage, speechLanguages } from "./language.ts";

/** More sound tracks than these are not looked at. */
const maxTracks = 128;
/** The number of a sound track, counted from 1 in the file's order. */
export const TrackNumber = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxTracks));

/** One of several sound tracks in a recording, as its file describes it. */
export const AudioTrack = v.object({
  /** The language's code, ISO 639 or BCP 47 ("eng", "pt-BR"); null: the file does not say. */
  language: v.nullable(v.string()),
  title: v.nullable(v.string()),
  /** The file marks it as the one to play. */
  isDefault: v.boolean(),
});
export type AudioTrack = v.InferOutput<typeof AudioTrack>;

/** Longest title of a track that is kept (characters). */
const titleCharacters = 100;

/** What a file says of a track. */
interface DescribedTrack {
  language?: string | undefined;
  title?: string | undefined;
  isDefault: boolean;
}

/** Keeps what is usable of it: a language that is a code, and one short line of the title. */
export function audioTrack({ language = "und", title = "", isDefault }: DescribedTrack): AudioTrack {
  const isCode = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,3}$/i.test(language) && language !== "und";
  const line = title.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return { language: isCode ? language : null, title: [...line].slice(0, titleCharacters).join("") || null, isDefault };
}

/** The number of the track that is heard unless another one is chosen: the first that the file marks as its default, or else its first. */
export const defaultTrack = (tracks: readonly AudioTrack[]): number =>
  Math.max(
    0,
    tracks.findIndex(({ isDefault }) => isDefault),
  ) + 1;

/** In which of the languages of speech a track is; undefined: the file does not say, or it is another one. */
export function trackLanguage({ language }: Pick<AudioTrack, "language">): SpeechLanguage | undefined {
  if (language === null) return undefined;
  const [code = ""] = languageCode(language).split("-");
  const spoken = norwegian.includes(code) ? "no" : code;
  return speechLanguages.find((known) => known !== "auto" && known.slice(0, 2).toLowerCase() === spoken);
}
/** Bokmål and Nynorsk. */
const norwegian: readonly string[] = ["nb", "nn"];

/** A language's code in its canonical form: "de" for "ger" and "deu". */
export function languageCode(code: string): string {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? code;
  } catch {
    return code;
  }
}

/** Of a recording with several sound tracks, once it is decoded. */
export const soundTrackFields = {
  /** All of them, in the file's order; absent: there is one. */
  tracks: v.optional(v.array(AudioTrack)),
  /** The number of the one that the text is of. */
  track: v.optional(TrackNumber),
};

/** The same, as the page accepts it. */
export const acceptedSoundTrackFields = {
  tracks: v.fallback(soundTrackFields.tracks, undefined),
  track: v.fallback(soundTrackFields.track, undefined),
} satisfies Record<keyof typeof soundTrackFields, v.GenericSchema>;
