import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AudioError } from "#server/speech/audio-error.ts";
import { decodeToPcm } from "#server/speech/decode.ts";
import { wavHeader } from "#server/speech/wav.ts";
import { fixture, fixturePcm, noise, silence } from "./sound.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-decode-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function decoded(path: string) {
  const chunks: Buffer[] = [];
  const result = await decodeToPcm(path, { onPcm: (chunk) => void chunks.push(Buffer.from(chunk)) });
  return { ...result, pcm: Buffer.concat(chunks) };
}

/** Copies the fixture to a neutral name: the path in ffmpeg's messages must not influence the result. */
async function unnamed(name: string): Promise<string> {
  const copy = join(folder, "original");
  await copyFile(fixture(name), copy);
  return copy;
}

function energy(pcm: Buffer): number {
  let sum = 0;
  for (let at = 0; at < pcm.length; at += 2) sum += pcm.readInt16LE(at) ** 2;
  return Math.sqrt(sum / (pcm.length / 2));
}

describe("formats that people upload", () => {
  // The other formats hold the same: m4a is mp4, opus is the codec of webm; flac: built-in.test.ts.
  it.each(["mp3", "ogg", "webm", "mp4"])("decodes %s to the same sound as the wav", async (extension) => {
    const { durationSeconds, truncated, pcm } = await decoded(await unnamed(`harbor.${extension}`));
    const original = fixturePcm("harbor.wav");
    expect(truncated).toBe(false);
    expect(durationSeconds).toBeCloseTo(original.length / 2 / 16_000, 1);
    expect(pcm.length / 2 / 16_000).toBe(durationSeconds);
    expect(energy(pcm) / energy(original)).toBeGreaterThan(0.9);
    expect(energy(pcm) / energy(original)).toBeLessThan(1.1);
  });

  it("returns a 16 kHz mono WAV sample by sample", async () => {
    expect((await decoded(fixture("harbor.wav"))).pcm.equals(fixturePcm("harbor.wav"))).toBe(true);
  });

  it("resamples audio of 48 kHz", async () => {
    const { durationSeconds } = await decoded(fixture("microphone.wav"));
    const bytes = (await readFile(fixture("microphone.wav"))).length - 44;
    expect(durationSeconds).toBeCloseTo(bytes / 2 / 48_000, 2);
  });
});

describe("defective files", () => {
  it.each([
    ["empty.wav", "emptyFile"],
    ["zero-seconds.wav", "emptyFile"],
    ["not-audio.mp3", "notAudio"],
    ["video-without-sound.mp4", "noSound"],
    ["truncated.m4a", "truncated"],
  ])("refuses to decode %s, as %s", async (name, code) => {
    await expect(decoded(await unnamed(name))).rejects.toThrow(expect.objectContaining({ name: "AudioError", code }));
  });

  it.each(["truncated.wav", "truncated.mp3"])("decodes %s up to its end and reports it as truncated", async (name) => {
    const { durationSeconds, truncated } = await decoded(await unnamed(name));
    expect(truncated).toBe(true);
    expect(durationSeconds).toBeGreaterThan(1.9);
    expect(durationSeconds).toBeLessThan(5);
  });

  it('doesn\'t take the words "truncated" or "partial" in a path for ffmpeg\'s error', async () => {
    const inside = join(folder, "truncated incomplete");
    await mkdir(inside);
    await copyFile(fixture("harbor.wav"), join(inside, "end of file.wav"));
    expect((await decoded(join(inside, "end of file.wav"))).truncated).toBe(false);
    await copyFile(fixture("not-audio.mp3"), join(inside, "partial file.mp3"));
    await expect(decoded(join(inside, "partial file.mp3"))).rejects.toThrow(expect.objectContaining({ code: "notAudio" }));
  });

  it("tells a missing file from a file that isn't audio", async () => {
    await expect(decoded(join(folder, "absent.wav"))).rejects.toThrow(/ENOENT/);
  });
});

describe("hostile files", () => {
  it.each(["-i a'b\"c\nnew line $(touch hacked) %d.wav", "concat:a|b.wav"])(
    "takes a file name as a path, not as ffmpeg syntax: %j",
    async (name) => {
      await copyFile(fixture("truncated.wav"), join(folder, name));
      expect((await decoded(join(folder, name))).durationSeconds).toBe(2);
    },
  );

  it("decodes a relative path that contains a leading dash or a colon", async () => {
    const before = process.cwd();
    await mkdir(join(folder, "file:"), { recursive: true });
    await copyFile(fixture("truncated.wav"), join(folder, "file:", "-x.wav"));
    process.chdir(folder);
    try {
      expect((await decoded("file:/-x.wav")).durationSeconds).toBe(2);
    } finally {
      process.chdir(before);
    }
  });

  it.each([
    ["playlist.m3u8", (target: string) => `#EXTM3U\n#EXTINF:1,\nfile://${target}\n#EXT-X-ENDLIST\n`],
    ["list.wav", (target: string) => `ffconcat version 1.0\nfile '${target}'\n`],
    ["session.mp3", () => "v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n"],
    ["manifest.mp4", (target: string) => `<?xml version="1.0"?><MPD><Period><BaseURL>file://${target}</BaseURL></Period></MPD>`],
  ])("refuses to read another file through %s", async (name, content) => {
    const secret = join(folder, "secret.wav");
    await copyFile(fixture("truncated.wav"), secret);
    await writeFile(join(folder, name), content(secret));
    await expect(decoded(join(folder, name))).rejects.toThrow(AudioError);
  });

  it("refuses raw bytes whatever their file extension claims", async () => {
    for (const name of ["bytes.g722", "bytes.wav"]) {
      await writeFile(join(folder, name), noise(1, -6));
      await expect(decoded(join(folder, name))).rejects.toThrow(AudioError);
    }
  });
});

describe("decodeToPcm as a stream", () => {
  it("waits until the consumer has taken each chunk", async () => {
    let taking = 0;
    let most = 0;
    const { durationSeconds } = await decodeToPcm(fixture("talk.wav"), {
      onPcm: async (chunk) => {
        expect(chunk.length % 2).toBe(0);
        taking += 1;
        most = Math.max(most, taking);
        await new Promise(setImmediate);
        taking -= 1;
      },
    });
    expect(most).toBe(1);
    expect(durationSeconds).toBeCloseTo(fixturePcm("talk.wav").length / 2 / 16_000, 3);
  });

  it("stops decoding when it is aborted or when the consumer fails", async () => {
    const long = join(folder, "long.wav");
    await writeFile(long, Buffer.concat([wavHeader(20 * 16_000), silence(20)]));
    const stopping = new AbortController();
    let chunks = 0;
    const stopped = decodeToPcm(long, {
      signal: stopping.signal,
      onPcm: () => {
        chunks += 1;
        stopping.abort(new Error("enough"));
      },
    });
    await expect(stopped).rejects.toThrow("enough");
    expect(chunks).toBe(1);
    const failed = decodeToPcm(long, {
      onPcm: () => {
        throw new Error("disk full");
      },
    });
    await expect(failed).rejects.toThrow("disk full");
  });

  it("doesn't start decoding when the signal is already aborted", async () => {
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(decodeToPcm(fixture("harbor.wav"), { signal, onPcm: () => undefined })).rejects.toThrow("too late");
  });
});

describe("wavHeader", () => {
  it("writes a WAV header with the maximum size for audio beyond the format's limit", () => {
    expect(wavHeader(1000).readUInt32LE(40)).toBe(2000);
    expect(wavHeader(3_000_000_000).readUInt32LE(4)).toBe(0xffff_ffff);
  });
});
