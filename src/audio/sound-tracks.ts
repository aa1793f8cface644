import { BlobSource, Input, type InputAudioTrack, MATROSKA, MP4, MPEG_TS, QTFF, WEBM } from "mediabunny";
import type { AudioTrack } from "#contract/index.ts";

/** Those that may have several sound tracks. */
const formats = [MATROSKA, WEBM, MP4, QTFF, MPEG_TS];

/** As many characters of a title are kept. */
const titleCharacters = 100;

/**
 * The sound tracks of a recording, in its order, from its headers alone.
 * @throws errors of other files, the signal's reason
 */
export async function soundTracksOf(file: Blob, signal: AbortSignal): Promise<AudioTrack[]> {
  const input = new Input({ source: new BlobSource(file), formats });
  // Whoever reads a disposed one gets an error.
  signal.addEventListener("abort", () => input.dispose(), { once: true });
  try {
    const tracks = await Promise.all((await input.getAudioTracks()).map(trackOf));
    signal.throwIfAborted();
    return tracks;
  } finally {
    input.dispose();
  }
}

async function trackOf(track: InputAudioTrack): Promise<AudioTrack> {
  const [language, name, disposition] = await Promise.all([track.getLanguageCode(), track.getName(), track.getDisposition()]);
  return {
    language: language === "und" ? null : language,
    title: name?.trim().slice(0, titleCharacters) || null,
    isDefault: disposition.default,
  };
}
