import * as v from "valibot";
import { AudioTrack, type Transcription } from "#contract/index.ts";

/** What is stored of the sound tracks of a recording. */
export interface TrackColumns {
  /** JSON: AudioTrack[], where there are several. */
  tracks: string | null;
  /** The number of the one that the text is of, from 1. */
  track: number | null;
}

const Stored = v.pipe(v.string(), v.parseJson(), v.array(AudioTrack));

/** The sound tracks of a recording that has several; undefined: it has one, or is not decoded yet. */
export function tracksOf({ tracks }: Pick<TrackColumns, "tracks">): AudioTrack[] | undefined {
  return tracks === null ? undefined : v.parse(Stored, tracks);
}

/** The columns of a decoded recording. @param track the number of the decoded one, from 1 */
export function trackColumns({ tracks, track }: { tracks: readonly AudioTrack[]; track: number }): TrackColumns {
  return tracks.length > 1 ? { tracks: JSON.stringify(tracks), track } : { tracks: null, track: null };
}

/** What an answer says of the sound tracks. */
export function trackFacts(row: TrackColumns): Pick<Transcription, "tracks" | "track"> {
  const tracks = tracksOf(row);
  return tracks === undefined ? {} : { tracks, ...(row.track !== null && { track: row.track }) };
}

/**
 * The number of the track that a finished text is of, from 1. Earlier releases recognized the first, whatever the file says.
 */
export const heardTrack = ({ track }: Pick<TrackColumns, "track">): number => track ?? 1;

/** Whether a browser that gets the file as it came plays the track that the text is of: the first, unless another one is the default. */
export function isPlayedAsItCame(row: TrackColumns): boolean {
  const tracks = tracksOf(row) ?? [];
  return heardTrack(row) === 1 && tracks.findIndex(({ isDefault }) => isDefault) <= 0;
}

/** The file beside the recording that has only the track that the text is of; undefined: browsers play the recording as it came. */
export const soundKind = (row: TrackColumns) => (isPlayedAsItCame(row) ? undefined : (`sound-${heardTrack(row)}` as const));
