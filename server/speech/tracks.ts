import * as v from "valibot";
import { AudioTrack, defaultTrack, type Transcription } from "#contract/index.ts";
import type { Decoded } from "./decode.ts";

/** The stored facts about a recording's sound tracks. */
export interface TrackColumns {
  /** JSON: AudioTrack[]; null for a single track. */
  tracks: string | null;
  /** Number of the transcribed track, from 1. */
  track: number | null;
  /** 1: sound is missing in the middle of the track. */
  holes: number;
}

const Stored = v.pipe(v.string(), v.parseJson(), v.array(AudioTrack));

/** The sound tracks of a recording with several; undefined for one track, or before decoding. */
export function tracksOf({ tracks }: Pick<TrackColumns, "tracks">): AudioTrack[] | undefined {
  return tracks === null ? undefined : v.parse(Stored, tracks);
}

/** The columns of a decoded recording. */
export function trackColumns({ tracks, track, hasHoles }: Pick<Decoded, "tracks" | "track" | "hasHoles">): TrackColumns {
  const several = tracks.length > 1 ? { tracks: JSON.stringify(tracks), track } : { tracks: null, track: null };
  return { ...several, holes: hasHoles ? 1 : 0 };
}

/** The facts about sound tracks in an API response. */
export function trackFacts(row: Pick<TrackColumns, "tracks" | "track">): Pick<Transcription, "tracks" | "track"> {
  const tracks = tracksOf(row);
  return tracks === undefined ? {} : { tracks, ...(row.track !== null && { track: row.track }) };
}

/** Number of the transcribed track, from 1. Earlier releases always transcribed the first. */
export const recognizedTrack = ({ track }: Pick<TrackColumns, "track">): number => track ?? 1;

/**
 * Whether browsers play the transcribed sound from the recording itself. They play the first track, or the default one.
 * Where sound is missing they do not wait, and are early from then on.
 */
export function isPlayedAsItCame(row: TrackColumns): boolean {
  if (row.holes === 1) return false;
  const tracks = tracksOf(row);
  if (tracks === undefined) return true;
  return recognizedTrack(row) === 1 && defaultTrack(tracks) === 1;
}

/**
 * The copy that browsers play instead: only the transcribed track, with silence in its gaps. Undefined: they play the
 * recording.
 */
export const soundKind = (row: TrackColumns) => (isPlayedAsItCame(row) ? undefined : (`sound-${recognizedTrack(row)}` as const));
