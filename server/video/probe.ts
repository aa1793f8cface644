import * as v from "valibot";
import { smallest } from "#contract/lists.ts";
import { parseAs } from "#server/http/json.ts";
import { AudioError, askProbe, chooseTrack, clockOf, maxPixels, mediaType } from "#server/speech/index.ts";

interface Found {
  /** The picture can stay as it is in an MP4 that every browser plays. */
  isPlain: boolean;
  /** The sound track that is heard, from 1. */
  track: number;
  /** What has to be added to the time at which ffmpeg begins, so that second 0 is that of the text (speech/clock.ts). */
  shiftSeconds: number;
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
 * @param wanted the number of the sound track that is heard, from 1; default as in decodeToPcm. Browsers play the first one
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

/** ffmpeg begins with the first of all streams, or, where times may begin anew, with the first in the copy. */
const countsAllStreams = (container: string): boolean => /^(?:mov|matroska)\b/.test(container);

/** Telephones turn what they have filmed. */
function aspectOf({ width, height, side_data_list: turned }: Stream): number {
  if (width === 0 || height === 0) return 16 / 9;
  const isTurned = turned.some(({ rotation = 0 }) => Math.abs(rotation) % 180 === 90);
  return isTurned ? height / width : width / height;
}

const isOpen = (picture: Stream, sound: Stream | undefined): boolean =>
  openCodecs.includes(picture.codec_name) && (sound === undefined || openSound.includes(sound.codec_name));
