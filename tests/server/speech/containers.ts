/** A file that ffmpeg generates, and the expected result of decoding it. */
export interface Case {
  /** The file's name; its extension names the container. */
  file: string;
  /** The file's defect. */
  fault: string;
  /**
   * ffmpeg's arguments without the file name. `sound`, `other` and `picture` are replaced by paths
   * (containers.test.ts).
   */
  args: readonly string[];
  /** Start of each mark in seconds, as Chromium plays this file. */
  marks: readonly number[];
  type: string;
}

/** Seconds at which the sound has a mark of 0.2 s and the picture flashes. `other` is silent. */
export const soundMarks = [1, 3, 5, 7];

const h264 = ["-c:v", "copy", "-c:a", "aac"];
const vp8 = ["-c:v", "libvpx", "-deadline", "realtime", "-g", "10", "-c:a", "libopus"];
const both = ["-i", "picture", "-i", "sound"];
const hole = ["-af", "aselect='not(between(t,2,4))'"];
/** By default, a muxer shifts negative times to 0. */
const asTheyAre = ["-avoid_negative_ts", "disabled"];

interface Container {
  ending: string;
  type: string;
  codecs: readonly string[];
}
const mp4: Container = { ending: "mp4", type: "video/mp4", codecs: h264 };
const mov: Container = { ending: "mov", type: "video/quicktime", codecs: h264 };
const mkv: Container = { ending: "mkv", type: "video/x-matroska", codecs: h264 };
const webm: Container = { ending: "webm", type: "video/webm", codecs: vp8 };
const ts: Container = { ending: "ts", type: "video/mp2t", codecs: h264 };

const faulty = (fault: string, marks: readonly number[], args: readonly string[], containers: readonly Container[]): Case[] =>
  containers.map(({ ending, type, codecs }) => ({ file: `${fault}.${ending}`, fault, args: [...args, ...codecs], marks, type }));

const late = ["-i", "picture", "-itsoffset", "2", "-i", "sound", "-map", "0", "-map", "1"];
const early = ["-i", "picture", "-itsoffset", "-1.5", "-i", "sound", "-map", "0", "-map", "1", ...asTheyAre];
const allLate = ["-itsoffset", "2", "-i", "picture", "-itsoffset", "2", "-i", "sound", "-map", "0", "-map", "1"];
/** Packets before the beginning that an edit list leaves out. */
const edited = ["-ss", "0.7", "-i", "picture", "-ss", "0.7", "-i", "sound"];

/** All containers handle a gap and a late start the same way. */
const everywhere = [mp4, mov, mkv, webm, ts];
const withPicture: readonly Case[] = [
  ...faulty("none", soundMarks, both, everywhere),
  ...faulty("late", [3, 5, 7, 9], late, everywhere),
  ...faulty("hole", [1, 5, 7], [...both, ...hole], everywhere),
  ...faulty("negative", [1.5, 3.5, 5.5], early, [mp4, mov, mkv]),
  // A broadcast has no 0: its first packet sets the start.
  ...faulty("negative", soundMarks, early, [ts]),
  ...faulty("edit list", [0.3, 2.3, 4.3, 6.3], edited, [mp4, mov]),
  ...faulty("all of it late", [3, 5, 7, 9], allLate, [mp4, mov, mkv, webm]),
  ...faulty("all of it late", soundMarks, allLate, [ts]),
  ...faulty("after hours", soundMarks, [...both, "-output_ts_offset", "30000"], [mkv, ts]),
  // Overflows the 33 bits of the 90 kHz clock.
  ...faulty("times that start again at 0", soundMarks, [...both, "-output_ts_offset", "95438"], [ts]),
];

const alone = ["-itsoffset", "2", "-i", "sound"];
const holeAlone = ["-i", "sound", ...hole];
const withoutPicture: readonly Case[] = [
  { file: "late.m4a", fault: "late, alone", args: alone, marks: [3, 5, 7, 9], type: "audio/mp4" },
  { file: "late.weba", fault: "late, alone", args: [...alone, "-f", "webm"], marks: [3, 5, 7, 9], type: "audio/webm" },
  { file: "late.opus", fault: "late, alone", args: alone, marks: [3, 5, 7, 9], type: "audio/ogg" },
  { file: "hole.m4a", fault: "hole, alone", args: holeAlone, marks: [1, 5, 7], type: "audio/mp4" },
  { file: "hole.mka", fault: "hole, alone", args: holeAlone, marks: [1, 5, 7], type: "audio/x-matroska" },
];

/** One person per channel, and one channel that is the inverse of the other. */
const inverted = ["-i", "sound", "-af", "pan=stereo|c0=c0|c1=-1*c0"];
const joint = [...inverted, "-joint_stereo", "1"];
const channels: readonly Case[] = [
  { file: "inverted.wav", fault: "inverted channel", args: inverted, marks: soundMarks, type: "audio/wav" },
  { file: "inverted.flac", fault: "inverted channel", args: inverted, marks: soundMarks, type: "audio/flac" },
  { file: "inverted.m4a", fault: "inverted channel", args: inverted, marks: soundMarks, type: "audio/mp4" },
  { file: "inverted.mp3", fault: "inverted channel", args: joint, marks: soundMarks, type: "audio/mpeg" },
  {
    file: "interview.wav",
    fault: "one person a channel",
    args: ["-i", "sound", "-af", "aeval=val(0)*lt(t\\,4)|val(0)*gte(t\\,4):c=stereo"],
    marks: soundMarks,
    type: "audio/wav",
  },
  {
    file: "surround.m4a",
    fault: "5.1, the voice in the middle",
    args: ["-i", "sound", "-af", "pan=5.1|FC=c0"],
    marks: soundMarks,
    type: "audio/mp4",
  },
];

const two = ["-i", "other", "-i", "sound", "-map", "0", "-map", "1", "-c:a", "aac"];
const second = ["-disposition:a:0", "0", "-disposition:a:1", "default"];
const tracks: readonly Case[] = [
  { file: "two.mka", fault: "second track", args: [...two, ...second], marks: soundMarks, type: "audio/x-matroska" },
  { file: "two.mp4", fault: "second track", args: [...two, ...second], marks: soundMarks, type: "audio/mp4" },
];

const misnamed: readonly Case[] = [
  { file: "call.mp3", fault: "another name", args: ["-i", "sound", "-f", "ipod"], marks: soundMarks, type: "audio/mp4" },
  { file: "call.ogg", fault: "another name", args: ["-i", "sound", "-f", "adts"], marks: soundMarks, type: "audio/aac" },
  { file: "call.mp4", fault: "another name", args: ["-i", "sound", "-f", "mp3"], marks: soundMarks, type: "audio/mpeg" },
  { file: "call.wav", fault: "another name", args: ["-i", "sound", "-f", "webm"], marks: soundMarks, type: "audio/webm" },
  { file: "call.webm", fault: "another name", args: ["-i", "sound", "-f", "ogg"], marks: soundMarks, type: "audio/ogg" },
];

export const cases: readonly Case[] = [...withPicture, ...withoutPicture, ...channels, ...tracks, ...misnamed];
