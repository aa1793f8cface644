import * as v from "valibot";
import { smallest } from "#contract/lists.ts";
import { parseAs } from "#server/http/json.ts";
import { AudioError, askProbe, chooseTrack, clockOf, maxPixels, mediaType } from "#server/speech/index.ts";

interface Found {
  /** Whether the picture can be copied unchanged into an MP4 that every browser plays. */
  isPlain: boolean;
  /** Number of the transcribed sound track, from 1. */
  track: number;
  /** Seconds to add to ffmpeg's times, so that second 0 is that of the text (speech/clock.ts). */
  shiftSeconds: number;
  /** Duration in seconds; 0 when the file does not state it. */
  seconds: number;
  /** Width divided by height, as displayed. */
  aspect: number;
}

/** How to handle a recording's picture. */
export type VideoProbe =
  /** There is no picture. */
  | { kind: "none" }
  /** Browsers can play the original. */
  | ({ kind: "original" } & Found)
  /** A copy has to be made. */
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
        start_time: v.optional(Numeric),
        side_data_list: v.optional(v.array(v.object({ rotation: v.optional(v.number()) })), []),
        disposition: v.optional(v.object({ attached_pic: v.optional(v.number()), default: v.optional(v.number()) })),
      }),
    ),
    [],
  ),
  format: v.optional(
    v.object({
      format_name: v.optional(v.string(), ""),
      start_time: v.optional(Numeric, "0"),
      duration: v.optional(Numeric),
      tags: v.optional(v.object({ major_brand: v.optional(v.string()) })),
    }),
  ),
});
type Stream = NonNullable<v.InferOutput<typeof Probe>["streams"]>[number];

const shown =
  "stream=codec_type,codec_name,pix_fmt,width,height,start_time:stream_side_data=rotation:stream_disposition=attached_pic,default:format=format_name,start_time,duration:format_tags=major_brand";

/** Pixel formats of H.264 that every browser decodes: eight bits, colors at half the resolution. */
const plainPixels: readonly (string | undefined)[] = ["yuv420p", "yuvj420p"];
const openCodecs: readonly (string | undefined)[] = ["vp8", "vp9", "av1"];
const openSound: readonly (string | undefined)[] = ["opus", "vorbis"];

/** Whether an upload may be a video; only then is it probed. @param type as sent, or by the file extension */
export const mayBeVideo = (type: string): boolean => type.startsWith("video/") || type === "application/octet-stream";

/**
 * Finds out whether a file has a moving picture, and which browsers can play it. A cover does not count. Nothing is
 * decoded beyond what ffprobe needs to describe the streams, under the limits of all untrusted files.
 * @param path absolute
 * @param wanted number of the transcribed sound track, from 1; default as in decodeToPcm. Browsers play the first one
 * @throws AudioError `internal`: ffprobe is not installed, or was killed from outside
 */
export async function probeVideo(path: string, signal: AbortSignal, wanted?: number): Promise<VideoProbe> {
  const answer = await askProbe(`file:${path}`, shown, signal).catch((error: unknown) => {
    if (error instanceof AudioError && error.code !== "internal") return undefined;
    throw error;
  });
  const probed = parseAs(Probe, answer?.output ?? "");
  if (probed === undefined) return { kind: "none" };
  const { streams, format } = probed;
  const picture = streams.find((stream) => stream.codec_type === "video" && stream.disposition?.attached_pic !== 1);
  if (picture === undefined) return { kind: "none" };
  const isRefused = /exceeds specified max pixel count/i.test(answer?.complaint ?? "");
  if (isRefused || picture.width * picture.height > maxPixels) return { kind: "tooLarge" };
  const sounds = streams.filter((stream) => stream.codec_type === "audio");
  const sound = chooseTrack(sounds, wanted);
  const isPlain = picture.codec_name === "h264" && plainPixels.includes(picture.pix_fmt);
  const { format_name: container = "", start_time: begin = 0, duration: seconds = 0, tags } = format ?? {};
  const starts = [picture, sound].flatMap((stream) => stream?.start_time ?? []);
  const { zeroSeconds } = clockOf(container, starts);
  const found = {
    isPlain,
    track: sound === undefined ? 1 : sounds.indexOf(sound) + 1,
    shiftSeconds: (countsAllStreams(container) ? begin : Math.min(Number.MAX_VALUE, smallest(starts))) - zeroSeconds,
    seconds,
    aspect: aspectOf(picture),
  };
  const type = await mediaType({ path, format: container, brand: tags?.major_brand, hasPicture: true });
  const isPlayed =
    (type === "video/mp4" && isPlain && (sound === undefined || sound.codec_name === "aac")) ||
    (type === "video/webm" && isOpen(picture, sound));
  return { kind: isPlayed && sound === sounds[0] && zeroSeconds === 0 ? "original" : "convert", ...found };
}

/**
 * Whether ffmpeg's time starts with the first of all streams. In containers whose timestamps may restart, it starts
 * with the first copied stream.
 */
const countsAllStreams = (container: string): boolean => /^(?:mov|matroska)\b/.test(container);

/** The displayed aspect: phones store their videos rotated. */
function aspectOf({ width, height, side_data_list: turned }: Stream): number {
  if (width === 0 || height === 0) return 16 / 9;
  const isTurned = turned.some(({ rotation = 0 }) => Math.abs(rotation) % 180 === 90);
  return isTurned ? height / width : width / height;
}

const isOpen = (picture: Stream, sound: Stream | undefined): boolean =>
  openCodecs.includes(picture.codec_name) && (sound === undefined || openSound.includes(sound.codec_name));
