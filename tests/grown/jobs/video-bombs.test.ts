import { describe, expect, test } from "vitest";
import { base, getTranscription, signUp, startTestServer } from "#tests/server/harness.ts";
import { clip, h264, made, pathOf, pictured, sent, streamsOf } from "#tests/server/video/videos.ts";

async function begin() {
  const server = await startTestServer({ videoTimes: { pollMs: 60, beatMs: 30 } });
  return signUp(server);
}

const sound = (seconds: number) => ["-f", "lavfi", "-i", `sine=d=${seconds}:r=16000`];

describe("malicious video", () => {
  test("shows no picture with too many pixels, but keeps sound and text", async () => {
    const person = await begin();
    const huge = ["-f", "lavfi", "-i", "color=s=8000x6000:r=1:d=1,format=gray", ...sound(1), "-c:v", "png", "-c:a", "aac"];
    const id = await sent(person, await made("huge.mkv", huge), "huge.mkv");
    expect(await pictured(person, id)).toMatchObject({ state: "failed", problem: "tooLarge" });
    expect((await getTranscription(person, id)).status).toBe("completed");
    expect((await person.call("GET", `${base}/transcription/${id}/audio`)).status).toBe(200);
  });

  test("does not pad one picture a day, and shows no extremely wide picture", async () => {
    const person = await begin();
    const slow = ["-f", "lavfi", "-i", "color=s=6400x64:r=1/86400:d=864000", ...sound(1), "-c:v", "mjpeg", "-c:a", "mp3"];
    const id = await sent(person, await made("slow.mkv", slow), "slow.mkv");
    expect((await pictured(person, id)).state).toBe("ready");
    const picture = await person.call("GET", pathOf(id, "picture"));
    const bytes = new Uint8Array(await picture.arrayBuffer());
    expect([await streamsOf(bytes), bytes.length < 100_000]).toEqual([["h264,1280,12", "aac"], true]);
  });

  test("uses the first picture and sound of many streams", async () => {
    const person = await begin();
    const maps = Array.from({ length: 40 }, () => ["-map", "0", "-map", "1"]).flat();
    const many = [...clip(1, "64x64"), ...maps, "-c:v", "mpeg4", "-c:a", "mp3"];
    const id = await sent(person, await made("many.mkv", many), "many.mkv");
    expect((await pictured(person, id)).state).toBe("ready");
    const picture = await person.call("GET", pathOf(id, "picture"));
    expect(await streamsOf(new Uint8Array(await picture.arrayBuffer()))).toEqual(["h264,64,64", "aac"]);
  });

  test("reports a video that can't be decoded to its end, without harm to others", async () => {
    const person = await begin();
    const whole = await made("odd.mkv", [...clip(2), ...h264, "-pix_fmt", "yuv444p", "-c:a", "aac"]);
    // The picture's own description, in the middle of the file's.
    const odd = Buffer.from(whole);
    const at = odd.indexOf("V_MPEG4/ISO/AVC");
    odd.write("V_MPEG4/ISO/AVX", at);
    const id = await sent(person, odd, "odd.mkv");
    expect(await pictured(person, id)).toMatchObject({ state: "failed", problem: "unreadable" });
    expect((await getTranscription(person, id)).status).toBe("completed");
  });
});
