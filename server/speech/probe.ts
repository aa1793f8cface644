import * as v from "valibot";
import { type AudioTrack, audioTrack } from "#contract/index.ts";
import { parseAs } from "#server/http/json.ts";
import { AudioError, checkEnd, saysCutOff, withoutPath } from "./audio-error.ts";
import { type Clock, clockOf } from "./clock.ts";
import { complaintOf, openingOptions, startTool, whenEnded } from "./ffmpeg.ts";
import { mediaType } from "./media-type.ts";

/** Largest output of a probe, in characters. A file with the maximum number of streams stays far below. */
const probeLimit = 4 * 1024 * 1024;
/** Limits of CPU time, in seconds, and of wall time, in milliseconds. */
const probeLimits = { cpuSeconds: 30, timeout: 60_000 };
/**
 * Accepted sample rates of speech, in Hz. A telephone has 8,000; below the lower limit, words can't be distinguished.
 * Above 3 MHz there is nothing (DSD has 2,822,400). A rate outside of these in a header would make the resampled audio
 * or the resampler's filters huge.
 */
const lowestRate = 2_000;
const highestRate = 3_000_000;
const maxChannels = 64;

const Numeric = v.pipe(v.string(), v.transform(Number), v.finite());
const Probe = v.object({
  streams: v.optional(
    v.array(
      v.object({
        codec_type: v.optional(v.string()),
        sample_rate: v.optional(v.fallback(Numeric, 0)),
        channels: v.optional(v.number()),
        bit_rate: v.optional(v.fallback(Numeric, 0)),
        start_time: v.optional(v.fallback(Numeric, 0)),
        duration: v.optional(v.fallback(Numeric, 0)),
        tags: v.optional(
          v.object({ DURATION: v.optional(v.string()), language: v.optional(v.string()), title: v.optional(v.string()) }),
        ),
        disposition: v.optional(v.object({ attached_pic: v.optional(v.number()), default: v.optional(v.number()) })),
      }),
    ),
    [],
  ),
  format: v.optional(
    v.object({
      format_name: v.optional(v.string(), ""),
      duration: v.optional(v.fallback(Numeric, 0)),
      tags: v.optional(v.object({ major_brand: v.optional(v.string()) })),
    }),
    { format_name: "" },
  ),
});
type Probe = v.InferOutput<typeof Probe>;

/** The container's description of a sound track, before decoding. */
export interface Sound extends Clock {
  /** All sound tracks, in the file's order. */
  tracks: AudioTrack[];
  /** Number of this track, from 1. */
  track: number;
  /** Content type of the file's bytes. */
  type: string;
  /** Channels of the track; 0 when unknown before decoding. */
  channels: number;
  /** End of the sound, counted from second 0; undefined when missing or unreliable. */
  endSeconds: number | undefined;
  /** Bit rate of the container in bits per second; 0 when unknown. */
  bitRate: number;
}

/**
 * Describes a file with ffprobe.
 * @param input as ffmpeg opens it, "file:" and an absolute path
 * @param wanted the number of the sound track, from 1 (chooseTrack)
 * @throws AudioError `notAudio`, `noSound`, `truncated`, `internal` (decodeToPcm)
 */
export async function probe(input: string, signal: AbortSignal | undefined, wanted?: number): Promise<Sound> {
  const show =
    "stream=codec_type,sample_rate,channels,bit_rate,start_time,duration:stream_tags=DURATION,language,title:stream_disposition=attached_pic,default:format=format_name,duration:format_tags=major_brand";
  const { output, complaint } = await askProbe(input, show, signal);
  const probed = parseAs(Probe, output);
  if (probed === undefined || probed.streams.length === 0) throw unreadable(complaint);
  const { streams, format } = probed;
  const sounds = streams.filter((stream) => stream.codec_type === "audio");
  const audio = chooseTrack(sounds, wanted);
  if (audio === undefined) {
    if (streams.some((stream) => stream.codec_type === "video")) throw new AudioError("noSound", "The video has no audio.");
    throw new AudioError("notAudio", "The file has no audio.");
  }
  const { sample_rate: rate = 0, channels = 0 } = audio;
  // A rate of 0 is unknown before decoding.
  if ((rate !== 0 && (rate < lowestRate || rate > highestRate)) || channels > maxChannels) {
    throw new AudioError("notAudio", `Audio with ${rate} samples per second on ${channels} channels can't be speech.`);
  }
  const picture = streams.find(isPicture);
  const { format_name: container, tags } = format;
  const path = input.replace(/^file:/, "");
  const type = await mediaType({ path, format: container, brand: tags?.major_brand, hasPicture: picture !== undefined });
  const starts = [audio, picture].flatMap((stream) => stream?.start_time ?? []);
  const clock = clockOf(container, starts);
  const endSeconds = endOf(probed, audio, complaint);
  return {
    ...clock,
    tracks: sounds.map((stream) => audioTrack({ ...stream.tags, isDefault: isDefault(stream) })),
    track: sounds.indexOf(audio) + 1,
    type,
    channels,
    endSeconds: endSeconds === undefined ? undefined : Math.max(0, endSeconds - clock.zeroSeconds),
    bitRate: audio.bit_rate ?? 0,
  };
}

type Stream = Probe["streams"][number];
type Disposition = Pick<Stream, "disposition">;

/** The sound track with a number, from 1. If there is none, the file's default track, or its first. */
export const chooseTrack = <T extends Disposition>(sounds: readonly T[], wanted = 0): T | undefined =>
  sounds[wanted - 1] ?? sounds.find(isDefault) ?? sounds[0];

const isDefault = ({ disposition }: Disposition): boolean => disposition?.default === 1;
const isPicture = ({ codec_type, disposition }: Stream): boolean => codec_type === "video" && disposition?.attached_pic !== 1;

/** Timestamp of the end of the sound (seconds). */
function endOf({ streams, format }: Probe, audio: Stream, complaint: string): number | undefined {
  // Without an index, ffmpeg multiplies size by bit rate. Such an estimate can't show whether the file is truncated.
  if (complaint.includes("Estimating duration from bitrate")) return undefined;
  const isAlone = streams.every((stream) => stream === audio || !(isPicture(stream) || stream.codec_type === "audio"));
  const duration = audio.duration ?? clockSeconds(audio.tags?.DURATION) ?? (isAlone ? format.duration : undefined);
  // Other containers state when the sound ends, not how long it is.
  const isLength = /^(?:mov|mpeg|mpegts)\b/.test(format.format_name);
  return duration === undefined || !isLength ? duration : duration + (audio.start_time ?? 0);
}

/** "00:01:02.500000000" (Matroska's DURATION tag) as seconds. */
function clockSeconds(clock: string | undefined): number | undefined {
  const [hours, minutes, seconds] = clock?.split(":").map(Number) ?? [];
  if (hours === undefined || minutes === undefined || seconds === undefined) return undefined;
  const total = hours * 3600 + minutes * 60 + seconds;
  return Number.isFinite(total) ? total : undefined;
}

/**
 * Reads entries of an untrusted file with ffprobe, as JSON.
 * @param input as ffmpeg opens it, "file:" and an absolute path
 * @throws AudioError `internal`, `notAudio`
 */
export async function askProbe(
  input: string,
  show: string,
  signal: AbortSignal | undefined,
): Promise<{ output: string; complaint: string }> {
  const args = ["-hide_banner", "-loglevel", "warning", ...openingOptions, "-show_entries", show, "-of", "json", "-i", input];
  const child = startTool("ffprobe", args, { ...probeLimits, signal });
  const complaint = complaintOf(child);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (output.length > probeLimit) child.kill("SIGKILL");
  });
  const end = await whenEnded(child);
  signal?.throwIfAborted();
  checkEnd(end, "Checking this file took too long.");
  return { output, complaint: withoutPath(complaint(), input) };
}

function unreadable(complaint: string): AudioError {
  if (saysCutOff(complaint))
    return new AudioError("truncated", "The file is incomplete: the part that describes its audio is missing.");
  return new AudioError("notAudio", "This is not a readable audio or video file.");
}
