import { batchFrames, type FrameLog } from "./frame-log.ts";

/** The frames of a recording from `from` on, as a WAV file. */
export async function wavOf(frames: Pick<FrameLog, "read" | "written">, from: number): Promise<Blob> {
  const parts: Blob[] = [];
  const to = frames.written;
  // A separate blob for each batch, because a browser may keep blobs on its disk.
  for (let at = from; at < to; at += batchFrames) parts.push(new Blob(await frames.read(at, Math.min(batchFrames, to - at))));
  const bytes = parts.reduce((sum, { size }) => sum + size, 0);
  return new Blob([wavHeader(bytes / 2), ...parts], { type: "audio/wav" });
}

/** RIFF, 16-bit mono at 16 kHz. @param samples the number of samples */
export function wavHeader(samples: number): DataView<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(44));
  const write = (at: number, text: string) => {
    for (const [i, letter] of [...text].entries()) header.setUint8(at + i, letter.charCodeAt(0));
  };
  write(0, "RIFF");
  header.setUint32(4, 36 + samples * 2, true);
  write(8, "WAVEfmt ");
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, 16_000, true);
  header.setUint32(28, 32_000, true);
  header.setUint16(32, 2, true);
  header.setUint16(34, 16, true);
  write(36, "data");
  header.setUint32(40, samples * 2, true);
  return header;
}
