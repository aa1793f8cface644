import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { audioName } from "#server/transcription/audio-name.ts";
import { base, type Person, read, refusal, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { save } from "./saved.ts";

const bytes = new Uint8Array(buzzWav(2));
const download = (person: Person, id: string, headers: Record<string, string> = {}) =>
  person.call("GET", `${base}/transcription/${id}/audio?download`, undefined, headers);

async function uploaded(name: string) {
  const server = await startTestServer();
  const person = await signUp(server);
  const { id } = await read(await upload(person, bytes, { name }), 202, Transcription);
  await settled(person, id);
  return { server, person, id };
}

describe("GET /transcription/{id}/audio", () => {
  test("prefers a recording's own file name to the requested name", async () => {
    const { person, id } = await uploaded("speech.wav");
    const answer = await person.call("GET", `${base}/transcription/${id}/audio?download&name=Dictated`);
    expect(answer.headers.get("Content-Disposition")).toContain('filename="speech.wav"');
    await answer.body?.cancel();
  });

  test("downloads the original bytes, name and type to the owner only, whole or in part", async () => {
    const { server, person, id } = await uploaded("Bäckerei 1.wav");
    const answer = await download(person, id);
    expect(answer.headers.get("Content-Type")).toBe("audio/wav");
    expect(answer.headers.get("Content-Disposition")).toBe(
      "attachment; filename=\"B_ckerei 1.wav\"; filename*=UTF-8''B%C3%A4ckerei%201.wav",
    );
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    const part = await download(person, id, { Range: "bytes=4-7" });
    expect([part.status, part.headers.get("Content-Range")]).toEqual([206, `bytes 4-7/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(4, 8))).toBe(true);
    // Playback sends no attachment.
    const played = await person.call("GET", `${base}/transcription/${id}/audio`);
    expect(played.headers.get("Content-Disposition")).toBe("inline");
    await played.body?.cancel();
    expect(await refusal(await download(await signUp(server), id))).toBe("404 notFound");
  });

  test("answers 404 when the audio is gone or never existed", async () => {
    const { server, person, id } = await uploaded("speech.wav");
    await rm(join(server.dataDir, "audio", id), { recursive: true });
    expect(await refusal(await download(person, id))).toBe("404 notFound");
    expect(await refusal(await download(person, (await save(person)).id))).toBe("404 notFound");
  });

  test("names an unnamed download by its transcription and the extension of its type", () => {
    const title = "At the baker's";
    expect(audioName({ file_name: null, title, audio_type: "audio/wav" })).toEqual({ name: title, ending: "wav" });
    expect(audioName({ file_name: "talk", title, audio_type: "audio/ogg" })).toEqual({ name: "talk", ending: "ogg" });
    expect(audioName({ file_name: "a.b.MP3", title, audio_type: "audio/mpeg" })).toEqual({ name: "a.b", ending: "MP3" });
    expect(audioName({ file_name: ".mp3", title, audio_type: "audio/x-odd" })).toEqual({ name: ".mp3", ending: "bin" });
  });
});
