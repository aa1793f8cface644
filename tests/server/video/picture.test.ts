import { existsSync } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { StorageUse } from "#contract/index.ts";
import type { Diarizer } from "#server/speech/index.ts";
import { base, getTranscription, read, refusal, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { diarized, scriptedDiarizer, twoVoices } from "#tests/server/processing/scripted-diarizer.ts";
import { ask, clip, h264, made, pathOf, pictured, sent, streamsOf } from "./videos.ts";

const fixture = async (name: string) => Buffer.from(await readFile(new URL(`../../fixtures/audio/${name}`, import.meta.url)));

async function begin(env: Record<string, string> = {}, diarizer?: Diarizer) {
  const server = await startTestServer({ env, ...(diarizer && { diarizer }), videoTimes: { pollMs: 60, beatMs: 30 } });
  const person = await signUp(server);
  const file = (id: string) => join(server.dataDir, "audio", id, "picture");
  const used = async () => (await read(await person.call("GET", "/api/v1/storage"), 200, StorageUse)).usedBytes;
  return { server, person, file, used };
}

describe("GET /transcription/{id}/audio/picture", () => {
  // PROMISE player: A video shows its picture, captions in both languages, and takes them into a file
  test("serves a playable video as it came to its owner, and no picture for a sound file", async () => {
    const { server, person, file } = await begin();
    const bytes = await fixture("market.mp4");
    const id = await sent(person, bytes, "market.mp4");
    expect((await ask(person, id)).picture).toEqual({ state: "original", fraction: 0, problem: null });
    expect((await getTranscription(person, id)).hasPicture).toBe(true);
    const part = await person.call("GET", pathOf(id, "picture"), undefined, { Range: "bytes=4-11" });
    expect([part.status, part.headers.get("Content-Type")]).toEqual([206, "video/mp4"]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(4, 12));
    expect(existsSync(file(id))).toBe(false);

    const other = await signUp(server);
    expect(await refusal(await other.call("GET", pathOf(id, "picture")))).toBe("404 notFound");
    expect(await refusal(await other.call("GET", `${base}/transcription/${id}/video`))).toBe("404 notFound");
    expect((await fetch(server.apiUrl + pathOf(id, "picture"))).status).toBe(401);
    // A media element sends no token: the audio's cookie also opens its own picture and no other.
    const access = await person.call("POST", `${base}/transcription/${id}/audio-access`);
    const Cookie = (access.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const as = (which: string) => fetch(server.apiUrl + pathOf(which, "picture"), { headers: { Cookie } });
    expect((await as(id)).status).toBe(200);

    // A cover image is no film.
    const onePicture = ["-c:v", "mjpeg", "-frames:v", "1", "-disposition:v", "attached_pic"];
    const cover = await made("cover.m4a", [...clip(1), "-map", "1", "-map", "0", ...onePicture, "-f", "mp4"]);
    const sounds: Record<string, Buffer<ArrayBuffer>> = { "market.webm": await fixture("market.webm"), "cover.mp4": cover };
    for (const [name, sound] of Object.entries(sounds)) {
      const without = await sent(person, sound, name);
      expect([name, (await ask(person, without)).picture.state]).toEqual([name, "none"]);
      expect((await getTranscription(person, without)).hasPicture).toBeUndefined();
      expect(await refusal(await person.call("GET", pathOf(without, "picture")))).toBe("404 notFound");
      expect((await as(without)).status).toBe(401);
    }
    const { id: plain } = JSON.parse(await (await upload(person, buzzWav(1))).text());
    expect((await ask(person, String(plain))).picture.state).toBe("none");
  });

  test("converts a video that browsers don't play, once, and deletes the copy with the audio", async () => {
    const { server, person, file, used } = await begin({}, scriptedDiarizer(twoVoices(1)));
    const plain = await sent(person, await made("a.mkv", [...clip(), ...h264, "-c:a", "aac"]), "a.mkv");
    expect((await pictured(person, plain)).state).toBe("ready");
    const old = await sent(person, await made("b.avi", [...clip(1, "1600x900"), "-c:v", "mpeg4", "-c:a", "mp3"]), "b.avi");
    const before = await used();
    expect(await pictured(person, old)).toEqual({ state: "ready", fraction: 1, problem: null });
    const copy = await person.call("GET", pathOf(old, "picture"), undefined, { Range: "bytes=0-" });
    expect([copy.status, copy.headers.get("Content-Type")]).toEqual([206, "video/mp4"]);
    const bytes = new Uint8Array(await copy.arrayBuffer());
    expect(await streamsOf(bytes)).toEqual(["h264,1280,720", "aac"]);
    expect(await streamsOf(new Uint8Array(await (await person.call("GET", pathOf(plain, "picture"))).arrayBuffer()))).toEqual([
      "h264,320,180",
      "aac",
    ]);
    expect((await used()) - before).toBe(bytes.length);
    // A later diarization doesn't convert the video again.
    const { mtimeMs } = await stat(file(plain));
    const asked = await person.call("PUT", `/audio/remove-transcription/${plain}`, { diarize: { speakers: null } });
    expect(asked.status).toBe(200);
    await diarized(person, plain);
    expect([(await ask(person, plain)).picture.state, (await stat(file(plain))).mtimeMs]).toEqual(["ready", mtimeMs]);
    // A copy missing after a restore is made again.
    await rm(file(old));
    expect((await ask(person, old)).picture.state).toBe("waiting");
    expect((await pictured(person, old)).state).toBe("ready");

    await person.call("DELETE", `/audio/remove-transcription/${old}`);
    expect(await refusal(await person.call("GET", pathOf(old, "picture")))).toBe("404 notFound");
    await person.call("POST", `${base}/trash/erase`, { ids: [old] });
    await server.sweep();
    expect(existsSync(file(old))).toBe(false);
  });

  test("converts a playable video with gaps in its sound, since browsers would play the sound early", async () => {
    const { person } = await begin();
    const hole = ["-af", "aselect='not(between(t,0.5,1.5))'"];
    const bytes = await made("hole.mp4", [...clip(3), ...hole, ...h264, "-c:a", "aac"]);
    const id = await sent(person, bytes, "hole.mp3", "audio/mpeg");
    expect((await pictured(person, id)).state).toBe("ready");
    // Name and type were wrong; the download keeps the original name.
    const sound = await person.call("GET", `${base}/transcription/${id}/audio?download`);
    expect(sound.headers.get("Content-Type")).toBe("video/mp4");
    expect(sound.headers.get("Content-Disposition")).toContain("hole.mp3");
  });

  test("keeps no converted video beyond the storage quota and leaves text and sound untouched", async () => {
    const noise = ["-vf", "noise=alls=90:allf=t", ...h264, "-crf", "20", "-c:a", "aac"];
    const bytes = await made("c.mkv", [...clip(3), ...noise]);
    expect(bytes.length).toBeGreaterThan(600_000);
    const { person, file } = await begin({ STORAGE_QUOTA_FREE_MB: "1" });
    const id = await sent(person, bytes, "c.mkv");
    expect(await pictured(person, id)).toMatchObject({ state: "failed", problem: "quotaReached" });
    expect(existsSync(file(id))).toBe(false);
    expect((await getTranscription(person, id)).status).toBe("completed");
    expect((await person.call("GET", `${base}/transcription/${id}/audio`)).status).toBe(200);
  });
});
