import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { decodeToPcm } from "#server/speech/index.ts";
import {
  eventually,
  getTranscription,
  type Person,
  read,
  settled,
  signUp,
  startTestServer,
  upload,
} from "#tests/server/harness.ts";
import { flatPng } from "#tests/server/http/pictures.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { subscribe } from "#tests/server/subscription/subscribed.ts";
import { made, wavOf } from "./media.ts";

// Hours of audio in small files, and covers of 256 million pixels. Ordinary limits:
// tests/server/uploads/upload.test.ts.

const freeBytes = 10 * 60 * 32_000;
/** Bytes that a pipe delivers at once. */
const chunk = 64 * 1024;

/** A server that counts the bytes of audio from the decoder. */
async function setUp(options: Parameters<typeof startTestServer>[0] = {}) {
  const decoded = { bytes: 0 };
  const decode: typeof decodeToPcm = (source, { onPcm, ...rest }) => {
    const counted = (pcm: Buffer) => {
      decoded.bytes += pcm.length;
      return onPcm(pcm);
    };
    return decodeToPcm(source, { ...rest, onPcm: counted });
  };
  const server = await startTestServer({ decode, ...options });
  const person = await signUp(server);
  const jobs = () => readdir(join(server.dataDir, "jobs"));
  return { server, person, decoded, jobs };
}

/** Silence, to be encoded once and repeated. */
const minute = ["-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono", "-t", "60"];
const repeated = (part: Buffer, times: number) => Buffer.concat(Array.from({ length: times }, () => part));

async function outcome(person: Person, bytes: Buffer<ArrayBuffer>, name = "speech.wav"): Promise<Transcription> {
  const { id } = await read(await upload(person, bytes, { name }), 202, Transcription);
  return settled(person, id);
}

describe("sound that decodes to far more bytes", () => {
  test.each([
    ["12 kB at 1 Hz", { rate: 1, seconds: 12_000 }],
    ["at 800 Hz", { rate: 800, seconds: 10 }],
    ["at 2 GHz", { rate: 2_000_000_000, seconds: 0.00001 }],
    ["on 200 channels", { rate: 8_000, seconds: 0.5, channels: 200 }],
  ])("refuses to decode %s", async (_, wav) => {
    const { server, person, decoded, jobs } = await setUp();
    await subscribe(server.dataDir, person);
    expect(await outcome(person, wavOf(wav))).toMatchObject({ status: "failed", error: { code: "notAudio" } });
    expect(decoded.bytes).toBe(0);
    expect(await jobs()).toEqual([]);
  });

  test("accepts telephone and studio sample rates, and stereo", async () => {
    const { person } = await setUp();
    for (const wav of [{ rate: 8_000 }, { rate: 44_100, channels: 2 }, { rate: 384_000, bits: 16 as const }]) {
      expect(await outcome(person, wavOf({ ...wav, seconds: 1 }))).toMatchObject({ status: "completed", durationSeconds: 1 });
    }
  });
});

describe("remaining free minutes of a file", () => {
  test("remaining free minutes of a file are checked before decoding when the file states its length", async () => {
    const { person, decoded, jobs } = await setUp();
    const long = await outcome(person, wavOf({ rate: 8_000, seconds: 11 * 60 }));
    expect(long).toMatchObject({ status: "failed", durationSeconds: 660, error: { code: "limitReached" } });
    expect(decoded.bytes).toBe(0);
    expect(await jobs()).toEqual([]);
  });

  test("remaining free minutes of a file stop the decoding when the file states no length", async () => {
    const { person, decoded, jobs } = await setUp();
    const format = ["-c:a", "aac", "-b:a", "8k", "-f", "adts"];
    const endless = repeated(await made("a.aac", [...minute, ...format]), 12);
    expect(await outcome(person, endless, "long.aac")).toMatchObject({ status: "failed", error: { code: "limitReached" } });
    expect(decoded.bytes).toBeGreaterThan(freeBytes - chunk);
    expect(decoded.bytes).toBeLessThanOrEqual(freeBytes + chunk);
    expect(await jobs()).toEqual([]);
  });

  test("remaining free minutes of a file stop the decoding of endless pieces behind a short beginning", async () => {
    const { person, decoded, jobs } = await setUp();
    const chain = repeated(await made("a.ogg", [...minute, "-c:a", "libopus", "-b:a", "6k"]), 12);
    expect(await outcome(person, chain, "chain.ogg")).toMatchObject({ status: "failed", error: { code: "limitReached" } });
    expect(decoded.bytes).toBeLessThanOrEqual(freeBytes + chunk);
    expect(await jobs()).toEqual([]);
  });

  test("remaining free minutes of a file admit a truncated file that is short enough, whatever it states", async () => {
    const { person } = await setUp();
    const clip = ["-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono", "-t", "660", "-c:a", "pcm_s16le", "-movflags", "+faststart"];
    const whole = await made("a.mov", clip);
    const { status, durationSeconds, error } = await outcome(person, whole.subarray(0, whole.length / 3), "a.mov");
    expect([status, error?.code]).toEqual(["completed", "truncated"]);
    expect(durationSeconds).toBeGreaterThan(60);
    expect(durationSeconds).toBeLessThan(300);
  });
});

describe("disk budget of a job", () => {
  test("the disk budget of a job equals the longest accepted recording, with or without a stated length", async () => {
    const { server, person, decoded, jobs } = await setUp({ env: { MAX_AUDIO_HOURS: "1" } });
    await subscribe(server.dataDir, person);
    const refused = { status: "failed", error: { code: "tooLong" } };
    expect(await outcome(person, wavOf({ rate: 2_000, seconds: 3_700 }))).toMatchObject({ ...refused, durationSeconds: 3_700 });
    expect(decoded.bytes).toBe(0);
    const format = ["-c:a", "libmp3lame", "-b:a", "8k", "-write_xing", "0", "-id3v2_version", "0", "-f", "mp3"];
    const endless = repeated(await made("a.mp3", [...minute, ...format]), 62);
    expect(await outcome(person, endless, "long.mp3")).toMatchObject(refused);
    expect(decoded.bytes).toBeLessThanOrEqual(3_600 * 32_000 + chunk);
    expect(await jobs()).toEqual([]);
    expect((await outcome(person, buzzWav(5))).status).toBe("completed");
  });

  test("the disk budget of a job is limited to the free disk space minus the server's reserve", async () => {
    let now = 1_000_000;
    let free = 64 * 1024 * 1024 + 30 * 32_000;
    let asked = 0;
    const freeBytes = async () => {
      asked += 1;
      return free;
    };
    const { person, decoded, jobs } = await setUp({ now: () => now, storage: (real) => ({ ...real, freeBytes }) });
    expect((await outcome(person, buzzWav(20))).status).toBe("completed");
    const done = decoded.bytes;
    const { id } = await read(await upload(person, buzzWav(40)), 202, Transcription);
    for (const times of [2, 3]) {
      await eventually(
        async () => ({ asked, stage: (await getTranscription(person, id)).progress?.stage }),
        (seen) => seen.asked === times && seen.stage === "waiting",
      );
      // The space may be free by then.
      now += 30_000;
    }
    expect(await settled(person, id)).toMatchObject({ status: "failed", hasAudio: true, error: { code: "storageFull" } });
    expect(decoded.bytes).toBe(done);
    expect(await jobs()).toEqual([]);
    free *= 2;
    await read(await person.call("PUT", `/audio/remove-transcription/${id}`, { retry: true }), 200, Transcription);
    expect((await settled(person, id)).status).toBe("completed");
  });
});

describe("additional streams of a file", () => {
  test("additional streams of a file may contain a cover of 256 million pixels without harm", async () => {
    const { person } = await setUp();
    const mp3 = await made("a.mp3", ["-f", "lavfi", "-i", "sine=d=3", "-c:a", "libmp3lame"]);
    const covered = withCover(mp3, await flatPng(16_000, 16_000));
    const { status, durationSeconds } = await outcome(person, covered, "a.mp3");
    expect(status).toBe("completed");
    expect(durationSeconds).toBeCloseTo(3, 1);
  });

  test("additional streams of a file are refused when there are a thousand", async () => {
    const { person, decoded } = await setUp();
    const maps = Array.from({ length: 400 }, () => ["-map", "0:a"]).flat();
    const crowd = await made("a.mka", ["-f", "lavfi", "-i", "sine=d=0.2:r=8000", ...maps, "-c:a", "pcm_u8"]);
    expect(await outcome(person, crowd, "a.mka")).toMatchObject({ status: "failed", error: { code: "notAudio" } });
    expect(decoded.bytes).toBe(0);
  });
});

/** An MP3 that begins with a picture (ID3v2.3, APIC). */
function withCover(mp3: Buffer, png: Buffer): Buffer<ArrayBuffer> {
  const body = Buffer.concat([Buffer.from("\0image/png\0\x03\0", "latin1"), png]);
  const frame = Buffer.alloc(10);
  frame.write("APIC");
  frame.writeUInt32BE(body.length, 4);
  const size = body.length + frame.length;
  const tag = Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, (size >> 21) & 127, (size >> 14) & 127, (size >> 7) & 127, size & 127]);
  return Buffer.concat([tag, frame, body, mp3]);
}
