import {
  ALL_FORMATS,
  BlobSource,
  BufferTarget,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  Input,
  Output,
  type OutputFormat,
} from "mediabunny";

type Time = (timestamp: number) => number | undefined;

/**
 * Copies the packets of a file into another container at other times. `undefined` as time drops the packet. Each `time`
 * makes one track; the last track is the default.
 */
export async function remux(url: string, format: OutputFormat, ...times: Time[]): Promise<Blob> {
  const input = new Input({ source: new BlobSource(await (await fetch(url)).blob()), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  const [codec, decoderConfig] = [await track?.getCodec(), await track?.getDecoderConfig()];
  if (!track || !codec || !decoderConfig) throw new Error(`${url} has no sound.`);
  const packets: EncodedPacket[] = [];
  for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet);
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const tracks = times.map((time, at) => {
    const source = new EncodedAudioPacketSource(codec);
    output.addAudioTrack(source, { disposition: { default: at === times.length - 1 } });
    return { source, time };
  });
  await output.start();
  for (const { source, time } of tracks) {
    for (const packet of packets) {
      const timestamp = time(packet.timestamp);
      if (timestamp !== undefined) await source.add(packet.clone({ timestamp }), { decoderConfig });
    }
    source.close();
  }
  await output.finalize();
  return new Blob([target.buffer ?? new ArrayBuffer(0)]);
}
