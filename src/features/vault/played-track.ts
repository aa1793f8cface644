/** Number of bytes at the beginning in which Matroska names its tracks' codecs. */
const headBytes = 64 * 1024;
const soundCodec = /A_[A-Z0-9]{3,}/g;

/**
 * The audio as this browser should play it. Chromium and Firefox play the first track of Matroska and WebM files, even
 * if the file names another as the default. The text is made from the default, so this returns the default track alone.
 */
export async function playedTrackOf(sound: Blob): Promise<Blob> {
  if (!/matroska|webm/.test(sound.type)) return sound;
  const head = new TextDecoder("latin1").decode(await sound.slice(0, headBytes).arrayBuffer());
  if ((head.match(soundCodec) ?? []).length < 2) return sound;
  const { copyDefaultTrack } = await import("./copy-track.ts");
  return copyDefaultTrack(sound).catch(() => sound);
}
