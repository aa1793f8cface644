import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { AudioError, decodeToPcm } from "#server/speech/index.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { flatPng } from "#tests/server/http/pictures.ts";
import { atom, compressedMatroska, made, patched, tone, uint32, wavOf } from "./media.ts";

// Rates, channels and streams beyond any limit, and covers, through the server: ./decoding-limits.test.ts.

type Bytes = Buffer | Promise<Buffer>;

/** The true maximum length of these files, whatever they claim (samples at 16 kHz). */
const most = 60 * 16_000;

/** The result: the code of the refusal, or the decoded seconds. */
async function outcomeOf(bytes: Bytes): Promise<string | number> {
  const path = join(await temporaryFolder(), "original");
  await writeFile(path, await bytes);
  try {
    const { durationSeconds } = await decodeToPcm(path, { onPcm: () => undefined, maxSamples: most });
    return Math.round(durationSeconds * 10) / 10;
  } catch (error) {
    if (error instanceof AudioError) return error.code;
    throw error;
  }
}

const text = (content: string) => Buffer.from(content);
const huge = uint32(0xffffffff);

// Each file is refused with a reason, or read as far as it is a recording. ffmpeg may use a gigabyte and half an hour
// of processor time (server/speech/ffmpeg.ts), and no test here comes near either.
// PROMISE limits: Limits of bodies, files and pictures apply before anything is read
describe("malicious media file", () => {
  test.each<[string, string | number, () => Bytes]>([
    ["at 0 Hz", "notAudio", () => patched(wavOf({ rate: 8_000, seconds: 1 }), "WAVEfmt ", 8, Buffer.alloc(4))],
    ["at 768 kHz", 1, () => wavOf({ rate: 768_000, seconds: 1, bits: 16 })],
    ["on no channel", "notAudio", () => patched(wavOf({ rate: 8_000, seconds: 1 }), "WAVEfmt ", 6, Buffer.alloc(2))],
    ["on eight channels", 1, () => wavOf({ rate: 8_000, seconds: 1, channels: 8 })],
    ["on 65,535 channels", "notAudio", () => wavOf({ rate: 8_000, seconds: 0.01, channels: 65_535 })],
    ["of no bits", "emptyFile", () => wavOf({ rate: 8_000, seconds: 0, bits: 0, promised: 8_000 })],
    ["of 65,535 bits", "emptyFile", () => wavOf({ rate: 8_000, seconds: 0.001, bits: 65_535 })],
    ["in frames of no bytes", 1, () => wavOf({ rate: 8_000, seconds: 1, frame: 0 })],
    ["that says it has four gigabytes", 1, () => wavOf({ rate: 8_000, seconds: 1, promised: 0xffffffff })],
    [
      "with a hundred thousand chunks before its sound",
      1,
      () => {
        const wav = wavOf({ rate: 8_000, seconds: 1 });
        const empty = Buffer.concat(Array.from({ length: 100_000 }, () => Buffer.from("junk\0\0\0\0", "latin1")));
        return Buffer.concat([wav.subarray(0, 36), empty, wav.subarray(36)]);
      },
    ],
  ])("handles sound %s", async (_, outcome, bytes) => {
    expect(await outcomeOf(bytes())).toBe(outcome);
  });

  const mp4 = () => made("a.mp4", [...tone, "-c:a", "aac"]);
  test.each<[string, string | number, () => Bytes]>([
    [
      "that says it lasts for an age of the world",
      1,
      async () => patched(patched(await mp4(), "mvhd", 16, huge), "mdhd", 16, huge),
    ],
    ["whose table of times says it has four billion rows", "notAudio", async () => patched(await mp4(), "stts", 4, huge)],
    ["whose description says it is two gigabytes long", 1, async () => patched(await mp4(), "esds", -8, uint32(0x7fffffff))],
    [
      "whose head is packed, and says it has two gigabytes",
      "notAudio",
      () => {
        const packed = atom("cmvd", uint32(0x7fffffff), deflateSync(Buffer.alloc(5_000_000), { level: 9 }));
        return Buffer.concat([
          atom("ftyp", text("isom"), uint32(0)),
          atom("moov", atom("cmov", atom("dcom", text("zlib")), packed)),
        ]);
      },
    ],
    [
      "with a thousand boxes in one another",
      "notAudio",
      () => {
        let nested = Buffer.alloc(0);
        for (let depth = 0; depth < 1_000; depth++) nested = Buffer.from(atom("moov", nested));
        return Buffer.concat([atom("ftyp", text("isom"), uint32(0)), nested]);
      },
    ],
    ["whose frame unpacks to a thousand times as much", "emptyFile", () => compressedMatroska(50_000_000)],
    ["whose frame unpacks to five minutes", "tooLong", () => compressedMatroska(9_000_000)],
    ["whose frame is packed as it may be", 1, () => compressedMatroska(32_000)],
  ])("handles a container %s", async (_, outcome, bytes) => {
    expect(await outcomeOf(bytes())).toBe(outcome);
  });

  test.each<[string, string | number, () => Bytes]>([
    [
      "thirty long tracks of text",
      1,
      async () => {
        const folder = await temporaryFolder();
        await writeFile(join(folder, "a.srt"), `1\n00:00:00,000 --> 00:00:01,000\n${"word ".repeat(10_000)}\n`);
        const maps = Array.from({ length: 30 }, () => ["-map", "1:s"]).flat();
        return made("a.mkv", [...tone, "-i", join(folder, "a.srt"), "-map", "0:a", ...maps, "-c:a", "pcm_s16le", "-c:s", "srt"]);
      },
    ],
    [
      "a file of ten megabytes attached",
      1,
      async () => {
        const folder = await temporaryFolder();
        await writeFile(join(folder, "a.ttf"), Buffer.alloc(10_000_000));
        const attached = ["-attach", join(folder, "a.ttf"), "-metadata:s:t", "mimetype=application/x-truetype-font"];
        return made("a.mkv", [...tone, ...attached, "-c:a", "pcm_s16le"]);
      },
    ],
    [
      "pictures of 36 million pixels beside its sound",
      1,
      () => made("a.mkv", [...tone, "-f", "lavfi", "-i", "color=s=6000x6000:r=1:d=1", "-c:v", "mjpeg", "-c:a", "pcm_s16le"]),
    ],
    ["a tag that says it has 256 MB", "notAudio", () => Buffer.from("ID3\x03\0\0\x7f\x7f\x7f\x7fTIT2", "latin1")],
    [
      "ten thousand tags, one behind the other",
      "notAudio",
      async () => {
        const tags = Buffer.concat(Array.from({ length: 10_000 }, () => Buffer.from("ID3\x03\0\0\0\0\0\0", "latin1")));
        return Buffer.concat([tags, await made("a.mp3", [...tone, "-c:a", "libmp3lame"])]);
      },
    ],
  ])("handles a recording with %s", async (_, outcome, bytes) => {
    expect(await outcomeOf(bytes())).toBe(outcome);
  });

  test.each<[string, string]>([
    ["HLS", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/hostname\n#EXT-X-ENDLIST\n"],
    ["HLS with a key", '#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="http://127.0.0.1:9/key"\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n'],
    [
      "DASH",
      '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><BaseURL>http://127.0.0.1:9/</BaseURL></Period></MPD>',
    ],
    ["ffconcat", "ffconcat version 1.0\nfile '/etc/hostname'\nfile 'http://127.0.0.1:9/a.wav'\n"],
    ["M3U", "http://127.0.0.1:9/a.mp3\n"],
    ["PLS", "[playlist]\nFile1=http://127.0.0.1:9/a.mp3\nNumberOfEntries=1\n"],
    ["ASX", '<asx version="3.0"><entry><ref href="http://127.0.0.1:9/a.asf"/></entry></asx>'],
    ["SMIL", '<smil><body><audio src="http://127.0.0.1:9/a.mp3"/></body></smil>'],
    ["SDP", "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n"],
    ["RealAudio's list", "rtsp://127.0.0.1:9/a.rm\n"],
    ["Ogg Skeleton in words", "OggS http://127.0.0.1:9/"],
    ["an IMF list", '<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"/>'],
    ["an AviSynth script", 'DirectShowSource("http://127.0.0.1:9/a.avi")'],
    ["a graph of filters", "sine=d=100000[out]"],
    ["FFmpeg's metadata", ";FFMETADATA1\ntitle=x\n"],
    ["subtitles", "WEBVTT\n\n00:00.000 --> 00:01.000\nwords\n"],
    ["an address of data", "data:audio/wav;base64,UklGRg=="],
    ["a web page", "<!doctype html><audio src=http://127.0.0.1:9/a.mp3 autoplay></audio>"],
  ])("refuses a list that refers elsewhere: %s", async (_, content) => {
    expect(await outcomeOf(text(content))).toBe("notAudio");
  });

  test("refuses a movie that only refers to another file", async () => {
    const reference = (kind: string, data: string) => {
      const address = Buffer.from(`${data}\0`);
      return atom("rmra", atom("rmda", atom("rdrf", uint32(0), Buffer.from(kind), uint32(address.length), address)));
    };
    for (const reference_ of [reference("url ", "http://127.0.0.1:9/a.mov"), reference("alis", "/etc/hostname")]) {
      expect(await outcomeOf(Buffer.concat([atom("ftyp", text("qt  "), uint32(0)), atom("moov", reference_)]))).toBe("notAudio");
    }
    // This file claims that its audio is in another file beside it.
    const own = await made("a.mov", [...tone, "-c:a", "pcm_s16le"]);
    expect(await outcomeOf(patched(own, "url ", 0, Buffer.from([0, 0, 0, 0])))).not.toBe("internal");
  });

  test("refuses pictures that are uploaded as recordings", async () => {
    const frame = ["-f", "lavfi", "-i", "color=s=64x64", "-frames:v", "1"];
    const files = await Promise.all([
      flatPng(64, 64),
      flatPng(6_000, 6_000),
      ...["jpg", "gif", "bmp", "tiff", "webp", "ppm", "tga", "pcx"].map((kind) => made(`a.${kind}`, frame)),
      text('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/hostname"/></svg>'),
    ]);
    for (const file of files) expect(["notAudio", "noSound"]).toContain(await outcomeOf(file));
  });

  test("refuses archives and files that unpack to a thousand times their size", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "zeros"), Buffer.alloc(5_000_000));
    const tar = promisify(execFile);
    await tar("tar", ["-cJf", join(folder, "a.tar.xz"), "-C", folder, "zeros"]);
    await tar("tar", ["-cf", join(folder, "a.tar"), "-C", folder, "zeros"]);
    const { readFile } = await import("node:fs/promises");
    const files = [
      gzipSync(Buffer.alloc(20_000_000), { level: 9 }),
      await readFile(join(folder, "a.tar.xz")),
      await readFile(join(folder, "a.tar")),
      Buffer.from("504b0304140000000800", "hex"),
      Buffer.from("526172211a0701", "hex"),
    ];
    for (const file of files) expect(await outcomeOf(file)).toBe("notAudio");
  });
});
