/** Where Matroska names the codecs of its tracks: within the first bytes. */
const headBytes = 64 * 1024;
const soundCodec = /A_[A-Z0-9]{3,}/g;

/**
 * The sound as this browser should play it. Of several tracks in Matroska or WebM, Chromium and Firefox play the first one, although the file
 * names another as the default, of which the text is made: then this is the default track alone.
 */
export async function playedTrackOf(sound: Blob): Promise<Blob> {
  if (!/matroska|webm/.test(sound.type)) return sound;
  const head = new TextDecoder("latin1").decode(await sound.slice(0, headBytes).arrayBuffer());
  if ((head.match(soundCodec) ?? []).length < 2) return sound;
  const { copyDefaultTrack } = await import("./copy-track.ts");
  return copyDefaultTrack(sound).catch(() => sound);
}
