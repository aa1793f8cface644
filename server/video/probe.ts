import { open } from "node:fs/promises";
import * as v from "valibot";
import { AudioError, askProbe, maxPixels } from "#server/speech/index.ts";

interface Found {
  /** What can stay as it is in an MP4 that every browser plays. */
  copies: { picture: boolean; sound: boolean };
  /** Its length; 0 when the file does not say it. */
  seconds: number;
  /** Width by height, as it is seen. */
  aspect: number;
}

/** What is to become of a recording's picture. */
export type VideoProbe =
  /** There is none. */
  | { kind: "none" }
  /** Browsers play it as it came. */
  | ({ kind: "original" } & Found)
  /** A copy is to be made. */
  | ({ kind: "convert" } & Found)
  | { kind: "tooLarge" };

const Numeric = v.fallback(v.pipe(v.string(), v.transform(Number), v.finite()), 0);
const Probe = v.object({
  streams: v.optional(
    v.array(
      v.object({
        codec_type: v.optional(v.string()),
        codec_name: v.optional(v.string()),
        pix_fmt: v.optional(v.string()),
        width: v.optional(v.number(), 0),
        height: v.optional(v.number(), 0),
        side_data_list: v.optional(v.array(v.object({ rotation: v.optional(v.number()) })), []),
        disposition: v.optional(v.object({ attached_pic: v.optional(v.number()) })),
      }),
    ),
    [],
  ),
  format: v.optional(
    v.object({
      format_name: v.optional(v.string(), ""),
      duration: v.optional(Numeric),
      tags: v.optional(v.object({ major_brand: v.optional(v.string()) })),
    }),
  ),
});
type Stream = NonNullable<v.InferOutput<typeof Probe>["streams"]>[number];

const shown =
  "stream=codec_type,codec_name,pix_fmt,width,height:stream_side_data=rotation:stream_disposition=attached_pic:format=format_name,duration:format_tags=major_brand";

/** What H.264 is in that every browser decodes: eight bits, colours at half the resolution. */
const plainPixels: readonly (string | undefined)[] = ["yuv420p", "yuvj420p"];
const openCodecs: readonly (string | undefined)[] = ["vp8", "vp9", "av1"];
const openSound: readonly (string | undefined)[] = ["opus", "vorbis"];

/** Whether what was uploaded may be a video: only then is it probed. @param type as it was sent, or of the name's ending */
export const mayBeVideo = (type: string): boolean => type.startsWith("video/") || type === "application/octet-stream";

/**
 * Finds out whether a file has a moving picture, and who can play it. A cover is none. Nothing of it is decoded, but for what ffprobe
 * reads to know its streams, under the limits of all untrusted files.
 * @param path absolute
 * @throws AudioError `internal`: ffprobe is not installed, or was killed from outside
 */
export async function probeVideo(path: string, signal: AbortSignal): Promise<VideoProbe> {
  const answer = await askProbe(`file:${path}`, shown, signal).catch((error: unknown) => {
    if (error instanceof AudioError && error.code !== "internal") return undefined;
    throw error;
  });
  const probed = v.safeParse(v.pipe(v.string(), v.parseJson(), Probe), answer?.output ?? "");
  if (!probed.success) return { kind: "none" };
  const { streams, format } = probed.output;
  const picture = streams.find((stream) => stream.codec_type === "video" && stream.disposition?.attached_pic !== 1);
  if (picture === undefined) return { kind: "none" };
  const isRefused = /exceeds specified max pixel count/i.test(answer?.complaint ?? "");
  if (isRefused || picture.width * picture.height > maxPixels) return { kind: "tooLarge" };
  const sound = streams.find((stream) => stream.codec_type === "audio");
  const isPlain = picture.codec_name === "h264" && plainPixels.includes(picture.pix_fmt);
  const isAac = sound === undefined || sound.codec_name === "aac";
  const names = format?.format_name ?? "";
  const found = { copies: { picture: isPlain, sound: isAac }, seconds: format?.duration ?? 0, aspect: aspectOf(picture) };
  // QuickTime's own files look the same to ffmpeg, and some browsers refuse them.
  if (names.includes("mp4") && format?.tags?.major_brand?.trim() !== "qt" && isPlain && isAac)
    return { kind: "original", ...found };
  if (names.includes("webm") && isOpen(picture, sound) && (await saysWebm(path))) return { kind: "original", ...found };
  return { kind: "convert", ...found };
}

/** Telephones turn what they have filmed. */
function aspectOf({ width, height, side_data_list: turned }: Stream): number {
  if (width === 0 || height === 0) return 16 / 9;
  const isTurned = turned.some(({ rotation = 0 }) => Math.abs(rotation) % 180 === 90);
  return isTurned ? height / width : width / height;
}

const isOpen = (picture: Stream, sound: Stream | undefined): boolean =>
  openCodecs.includes(picture.codec_name) && (sound === undefined || openSound.includes(sound.codec_name));

/** Matroska and WebM are one to ffmpeg; the file's first bytes have its own word for it, and some browsers play no Matroska. */
async function saysWebm(path: string): Promise<boolean> {
  await using file = await open(path, "r");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
  return buffer.subarray(0, bytesRead).includes("webm");
}
