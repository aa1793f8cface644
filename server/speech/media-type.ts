import { open } from "node:fs/promises";

/** The types of audio-only containers, by ffprobe's name. */
const sounds: Readonly<Record<string, string>> = {
  aac: "audio/aac",
  ac3: "audio/ac3",
  aiff: "audio/aiff",
  amr: "audio/amr",
  ape: "audio/x-ape",
  au: "audio/basic",
  caf: "audio/x-caf",
  eac3: "audio/eac3",
  flac: "audio/flac",
  loas: "audio/aac",
  mp3: "audio/mpeg",
  w64: "audio/x-w64",
  wav: "audio/wav",
  wv: "audio/x-wavpack",
};
/** The types of containers that may hold a moving picture: without one, and with one. */
const videos: Readonly<Record<string, readonly [string, string]>> = {
  asf: ["audio/x-ms-wma", "video/x-ms-wmv"],
  avi: ["video/x-msvideo", "video/x-msvideo"],
  flv: ["video/x-flv", "video/x-flv"],
  mpeg: ["video/mpeg", "video/mpeg"],
  mpegts: ["video/mp2t", "video/mp2t"],
  ogg: ["audio/ogg", "video/ogg"],
};
const webm = ["audio/webm", "video/webm"] as const;
const matroska = ["audio/x-matroska", "video/x-matroska"] as const;
const mp4 = ["audio/mp4", "video/mp4"] as const;
const quickTime = ["audio/mp4", "video/quicktime"] as const;

/** The types of file extensions. If a type has several, the first is the usual one. */
const named: readonly (readonly [ending: string, type: string])[] = [
  ["aac", "audio/aac"],
  ["flac", "audio/flac"],
  ["m4a", "audio/mp4"],
  ["mka", "audio/x-matroska"],
  ["mkv", "video/x-matroska"],
  ["mov", "video/quicktime"],
  ["mp3", "audio/mpeg"],
  ["mp4", "video/mp4"],
  ["ogg", "audio/ogg"],
  ["oga", "audio/ogg"],
  ["opus", "audio/ogg"],
  ["ts", "video/mp2t"],
  ["wav", "audio/wav"],
  ["webm", "video/webm"],
  ["webm", "audio/webm"],
];

/** The type of a file extension (in lower case); undefined for an unknown one. */
export const typeOfEnding = (ending: string): string | undefined => named.find(([one]) => one === ending)?.[1];

/** The file extension of a type; "bin" for an unknown one. */
export const endingOfType = (type: string | null): string => named.find(([, one]) => one === type)?.[0] ?? "bin";

interface Container {
  /** Absolute. */
  path: string;
  /** ffprobe's `format_name` and the file's `major_brand`. */
  format: string;
  brand: string | undefined;
  hasPicture: boolean;
}

/** The content type of a file's bytes, whatever its name: never one that a browser renders as a page or executes. */
export async function mediaType({ path, format, brand, hasPicture }: Container): Promise<string> {
  const [name = ""] = format.split(",");
  const index = hasPicture ? 1 : 0;
  if (name === "mov") return (isQuickTime(brand) ? quickTime : mp4)[index];
  if (name === "matroska") return ((await saysWebm(path)) ? webm : matroska)[index];
  return videos[name]?.[index] ?? sounds[name] ?? "application/octet-stream";
}

/**
 * ffmpeg does not tell QuickTime files from MP4, but some browsers refuse them. Early QuickTime files have no brand.
 */
const isQuickTime = (brand: string | undefined): boolean => (brand ?? "qt").trim() === "qt";

/**
 * ffmpeg does not tell Matroska from WebM, but some browsers play no Matroska. The file's first bytes name its type.
 */
async function saysWebm(path: string): Promise<boolean> {
  await using file = await open(path, "r");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
  return buffer.subarray(0, bytesRead).includes("webm");
}
