import { pcmRate } from "#speech/bytes.ts";

/**
 * The 44-byte header that turns PCM (s16le, mono) into a WAV file.
 * @param samples number of samples that follow; infinite when unknown. Beyond 4 GiB the size fields hold their
 *   maximum, as streaming encoders write them; players then read to the end of the file.
 */
export function wavHeader(samples: number, rate = pcmRate): Buffer {
  const limit = 0xffff_ffff;
  const bytes = Math.min(samples * 2, limit - 36);
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(bytes + 36, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // PCM
  header.writeUInt16LE(1, 22); // mono
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(bytes, 40);
  return header;
}
