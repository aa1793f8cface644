import type { AudioTrack } from "#contract/index.ts";

/** Files that may have several sound tracks, by the endings of their names. */
const endings = /\.(?:mp4|m4v|m4a|m4b|mov|qt|mkv|mka|webm|ts|mts|m2ts)$/i;
/** Headers are read in a moment; a file on a slow disk is not waited for (ms). */
const timeoutMs = 10_000;

/** The sound tracks of a file that has several; undefined: it has one, or nothing can be found out in this browser. */
export async function soundTracksIn(file: File, signal: AbortSignal): Promise<AudioTrack[] | undefined> {
  if (!endings.test(file.name)) return undefined;
  try {
    const { soundTracksOf } = await import("#src/audio/sound-tracks.ts");
    const tracks = await soundTracksOf(file, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
    return tracks.length > 1 ? tracks : undefined;
  } catch {
    return undefined;
  }
}
