/** A container: its first bytes, the content types that browsers use for it, and the default one. */
interface Container {
  begins: RegExp;
  types: RegExp;
  type: string;
}

const containers: readonly Container[] = [
  { begins: /^.{4}ftyp/s, types: /mp4|m4a|quicktime|3gpp/, type: "mp4" },
  { begins: /^.E\xdf\xa3.*webm/s, types: /webm/, type: "webm" },
  { begins: /^.E\xdf\xa3/s, types: /matroska/, type: "x-matroska" },
  { begins: /^OggS/, types: /ogg|opus/, type: "ogg" },
  { begins: /^fLaC/, types: /flac/, type: "flac" },
  { begins: /^RIFF.{4}WAVE/s, types: /wav/, type: "wav" },
  { begins: /^\xff[\xf0\xf1\xf8\xf9]/, types: /aac/, type: "aac" },
  { begins: /^\xff[\xe2-\xe5\xf2-\xf5\xfa-\xfd]/, types: /mpeg|mp3/, type: "mpeg" },
];

/**
 * Sets the content type that fits the audio's bytes. Safari plays no MP4 with the type audio/mpeg, which a browser
 * derives from a wrong file extension. Unknown bytes keep their type, or get the type of arbitrary bytes.
 */
export async function withOwnType(sound: Blob): Promise<Blob> {
  const head = await beginningOf(sound);
  const found = containers.find(({ begins }) => begins.test(head));
  const typed = (type: string) => sound.slice(0, sound.size, type);
  if (found === undefined) return sound.type === "" ? typed("application/octet-stream") : sound;
  if (found.types.test(sound.type)) return sound;
  return typed(`${sound.type.startsWith("video/") ? "video" : "audio"}/${found.type}`);
}

/** The first bytes after ID3 tags, one character for each byte. */
async function beginningOf(sound: Blob): Promise<string> {
  for (let at = 0; ; ) {
    const bytes = new Uint8Array(await sound.slice(at, at + 64).arrayBuffer());
    // biome-ignore lint/plugin: at most 64 bytes.
    const text = String.fromCharCode(...bytes);
    if (!text.startsWith("ID3") || bytes.length < 64) return text;
    at += 10 + bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + byte, 0);
  }
}
