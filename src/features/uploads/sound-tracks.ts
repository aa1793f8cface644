import type { AudioTrack } from "#contract/index.ts";

/** File extensions whose files may have several sound tracks. */
const endings = /\.(?:mp4|m4v|m4a|m4b|mov|qt|mkv|mka|webm|ts|mts|m2ts)$/i;
/** The time limit for reading a file's header (ms), in case of a slow disk. */
const timeoutMs = 10_000;

/** A file's sound tracks if it has several; undefined: it has one, or this browser can't find out. */
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
