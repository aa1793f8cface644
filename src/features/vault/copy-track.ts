import {
  BlobSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  MATROSKA,
  MkvOutputFormat,
  Mp4OutputFormat,
  Output,
  WEBM,
  WebMOutputFormat,
} from "mediabunny";
import { defaultTrackOf } from "#src/audio/recognise/default-track.ts";

/**
 * Copies the default track of a Matroska or WebM file into its own file, with the same times. Decodes nothing.
 * @throws Error when that is not possible
 */
export async function copyDefaultTrack(sound: Blob): Promise<Blob> {
  const input = new Input({ source: new BlobSource(sound), formats: [WEBM, MATROSKA] });
  try {
    return await copyOf(await defaultTrackOf(input));
  } finally {
    input.dispose();
  }
}

async function copyOf(track: InputAudioTrack): Promise<Blob> {
  const [codec, decoderConfig] = [await track.getCodec(), await track.getDecoderConfig()];
  if (codec === null || decoderConfig === null) throw new Error("The codec is not known.");
  // Chooses a playable format: WebM supports only two codecs, and Safari plays no other Matroska.
  const [webm, mp4] = [new WebMOutputFormat(), new Mp4OutputFormat()];
  const format = [webm, mp4].find((one) => one.getSupportedAudioCodecs().includes(codec)) ?? new MkvOutputFormat();
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  await output.start();
  for await (const packet of new EncodedPacketSink(track).packets()) await source.add(packet, { decoderConfig });
  await output.finalize();
  return new Blob([target.buffer ?? new ArrayBuffer(0)], { type: format.mimeType.replace("video/", "audio/") });
}
