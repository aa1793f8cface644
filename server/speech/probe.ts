import * as v from "valibot";
import type { AudioTrack } from "#contract/index.ts";
import { AudioError, checkEnd, saysCutOff, withoutPath } from "./audio-error.ts";
import { complaintOf, openingOptions, startTool, whenEnded } from "./ffmpeg.ts";

/** Maximum output of a probe, in characters: a file with the maximum number of streams stays far below. */
const probeLimit = 4 * 1024 * 1024;
/** Limits of CPU time, in seconds, and of wall time, in milliseconds. */
const probeLimits = { cpuSeconds: 30, timeout: 60_000 };
/**
 * What speech can be recorded at, in Hz: a telephone has 8,000, and below this words can no longer be distinguished. Higher rates
 * are only those of DSD (2,822,400). With a rate below or above these in a header, the resampled audio or the resampler's filters
 * would become huge.
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
    v.object({ start_time: v.optional(v.fallback(Numeric, 0)), duration: v.optional(v.fallback(Numeric, 0)) }),
    {},
  ),
});
type Probe = v.InferOutput<typeof Probe>;

/** What the container says of a sound track, before anything is decoded. */
export interface Sound {
  /** All sound tracks, in the file's order. */
  tracks: AudioTrack[];
  /** Which of them this is, counted from 1. */
  track: number;
  /** The container's duration, in seconds; undefined when it is missing or unreliable. */
  expectedSeconds: number | undefined;
  /** Bit rate of the container in bits per second; 0 when unknown. */
  bitRate: number;
  /** Offset of the audio after the video, in seconds: players keep that gap, so words must too. */
  delaySeconds: number;
}

/**
 * Asks ffprobe what is in a file.
 * @param input as ffmpeg opens it, "file:" and an absolute path
 * @param wanted the number of the sound track, from 1; one that the file does not have: the track that it marks as the default, or its first
 * @throws AudioError `notAudio`, `noSound`, `truncated`, `internal` (decodeToPcm)
 */
export async function probe(input: string, signal: AbortSignal | undefined, wanted?: number): Promise<Sound> {
  const show =
    "stream=codec_type,sample_rate,channels,bit_rate,start_time,duration:stream_tags=DURATION,language,title:stream_disposition=attached_pic,default:format=start_time,duration";
  const { output, complaint } = await askProbe(input, show, signal);
  const parsed = v.safeParse(Probe, parseJson(output));
  if (!parsed.success || parsed.output.streams.length === 0) throw unreadable(complaint);
  const { streams } = parsed.output;
  const sounds = streams.filter((stream) => stream.codec_type === "audio");
  const audio = sounds[(wanted ?? 0) - 1] ?? sounds.find(isDefault) ?? sounds[0];
  if (audio === undefined) {
    if (streams.some((stream) => stream.codec_type === "video")) throw new AudioError("noSound", "The video has no sound.");
    throw new AudioError("notAudio", "The file holds no sound.");
  }
  const { sample_rate: rate = 0, channels = 1 } = audio;
  // 0: unknown before decoding.
  if ((rate !== 0 && (rate < lowestRate || rate > highestRate)) || channels > maxChannels) {
    throw new AudioError("notAudio", `Sound with ${rate} samples a second on ${channels} channels can't be speech.`);
  }
  return { ...soundOf(parsed.output, audio, complaint), tracks: sounds.map(trackOf), track: sounds.indexOf(audio) + 1 };
}

type Stream = Probe["streams"][number];
const isDefault = ({ disposition }: Stream): boolean => disposition?.default === 1;

/** Longest title of a track that is kept (characters). */
const titleCharacters = 100;

function trackOf(stream: Stream): AudioTrack {
  const { language = "und", title = "" } = stream.tags ?? {};
  const isCode = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,3}$/i.test(language) && language !== "und";
  const line = title.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return {
    language: isCode ? language : null,
    title: line === "" ? null : [...line].slice(0, titleCharacters).join(""),
    isDefault: isDefault(stream),
  };
}

function soundOf({ streams, format }: Probe, audio: Stream, complaint: string): Omit<Sound, "tracks" | "track"> {
  // Without an index ffmpeg multiplies size by bit rate: such an estimate says nothing about whether the file is truncated.
  const isGuess = complaint.includes("Estimating duration from bitrate");
  const isAlone = streams.every(
    (stream) => stream === audio || stream.disposition?.attached_pic === 1 || stream.codec_type === "data",
  );
  const expected = audio.duration ?? clockSeconds(audio.tags?.DURATION) ?? (isAlone ? format.duration : undefined);
  const delay = (audio.start_time ?? 0) - (format.start_time ?? 0);
  const ceiling = Math.min(3600, format.duration ?? 0);
  return {
    expectedSeconds: isGuess ? undefined : expected,
    bitRate: audio.bit_rate ?? 0,
    delaySeconds: isAlone ? 0 : Math.min(Math.max(delay, 0), ceiling),
  };
}

/** "00:01:02.500000000" (Matroska's DURATION tag) as seconds. */
function clockSeconds(clock: string | undefined): number | undefined {
  const [hours, minutes, seconds] = clock?.split(":").map(Number) ?? [];
  if (hours === undefined || minutes === undefined || seconds === undefined) return undefined;
  const total = hours * 3600 + minutes * 60 + seconds;
  return Number.isFinite(total) ? total : undefined;
}

/**
 * Asks ffprobe for entries of an untrusted file, as JSON.
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
  checkEnd(end, "Finding out what this file holds takes too long.");
  return { output, complaint: withoutPath(complaint(), input) };
}

function unreadable(complaint: string): AudioError {
  if (saysCutOff(complaint))
    return new AudioError("truncated", "The file is cut off: the part that describes its sound is missing.");
  return new AudioError("notAudio", "This is not an audio or video file that can be read.");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
