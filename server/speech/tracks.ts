import * as v from "valibot";
import { AudioTrack, defaultTrack, type Transcription } from "#contract/index.ts";
import type { Decoded } from "./decode.ts";

/** What is stored of the sound tracks of a recording. */
export interface TrackColumns {
  /** JSON: AudioTrack[], where there are several. */
  tracks: string | null;
  /** The number of the one that the text is of, from 1. */
  track: number | null;
  /** 1: sound is missing in the middle of that track. */
  holes: number;
}

const Stored = v.pipe(v.string(), v.parseJson(), v.array(AudioTrack));

/** The sound tracks of a recording that has several; undefined: it has one, or is not decoded yet. */
export function tracksOf({ tracks }: Pick<TrackColumns, "tracks">): AudioTrack[] | undefined {
  return tracks === null ? undefined : v.parse(Stored, tracks);
}

/** The columns of a decoded recording. */
export function trackColumns({ tracks, track, hasHoles }: Pick<Decoded, "tracks" | "track" | "hasHoles">): TrackColumns {
  const several = tracks.length > 1 ? { tracks: JSON.stringify(tracks), track } : { tracks: null, track: null };
  return { ...several, holes: hasHoles ? 1 : 0 };
}

/** What an answer says of the sound tracks. */
export function trackFacts(row: Pick<TrackColumns, "tracks" | "track">): Pick<Transcription, "tracks" | "track"> {
  const tracks = tracksOf(row);
  return tracks === undefined ? {} : { tracks, ...(row.track !== null && { track: row.track }) };
}

/**
 * The number of the track that a finished text is of, from 1. Earlier releases recognized the first, whatever the file says.
 */
export const recognizedTrack = ({ track }: Pick<TrackColumns, "track">): number => track ?? 1;

/**
 * Whether browsers that get the recording itself play what the text is of. They play the first track, or the default one. Where
 * sound is missing they play on, and are early from then on.
 */
export function isPlayedAsItCame(row: TrackColumns): boolean {
  if (row.holes === 1) return false;
  const tracks = tracksOf(row);
  if (tracks === undefined) return true;
  return recognizedTrack(row) === 1 && defaultTrack(tracks) === 1;
}

/** The copy that browsers play instead: the text's track alone, with silence in its holes. Undefined: they play the recording. */
export const soundKind = (row: TrackColumns) => (isPlayedAsItCame(row) ? undefined : (`sound-${recognizedTrack(row)}` as const));
