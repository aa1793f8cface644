import { BlobSource, Input, type InputAudioTrack, MATROSKA, MP4, MPEG_TS, QTFF, WEBM } from "mediabunny";
import { type AudioTrack, audioTrack } from "#contract/index.ts";

/**
 * Containers that may have several sound tracks. Only these, so that the page need not load the readers of other
 * formats.
 */
const formats = [WEBM, MATROSKA, MP4, QTFF, MPEG_TS];

/**
 * The sound tracks of a recording in its order, read from its headers.
 * @throws errors for other kinds of files; the signal's reason
 */
export async function soundTracksOf(file: Blob, signal: AbortSignal): Promise<AudioTrack[]> {
  const input = new Input({ source: new BlobSource(file), formats });
  // Reading from a disposed input throws.
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
  return audioTrack({ language, title: name ?? undefined, isDefault: disposition.default });
}
