import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { harborText, talkSentences } from "#tests/fixtures/audio/texts.ts";
import { Dictation, textOf } from "#tests/server/dictation/dictation.ts";
import { base, refusal, settled, upload } from "#tests/server/harness.ts";
import { h264, made, sent } from "#tests/server/video/videos.ts";
import { expectTimes, fixture, spoken, startReal, transcribe } from "./real.ts";

// These tests use the real engines: the built-in model recognizes, Apertium translates, ffmpeg decodes.

describe("upload with real engines", () => {
  // mp3 is tested in watched-folder/command.test.ts; other formats in speech/decode.test.ts,
  // grown/speech/codecs.test.ts.
  // PROMISE speech: The server recognizes English offline, in files and live
  test("recognizes harbor.wav with the times of its words and translates each segment to Spanish", async () => {
    const { person } = await startReal();
    const made = await transcribe(person, "harbor.wav", { targetLanguage: "es" });
    expect(made).toMatchObject({ status: "completed", error: null, engine: "moonshine-tiny-en" });
    expect(spoken(made.text)).toBe(spoken(harborText));
    expectTimes(made.segments, made.durationSeconds ?? 0);
    expect(made.translatedText.toLowerCase()).toContain("puerto");
    expect(made.translatedText.toLowerCase()).toContain("tren");
    expect(made.segments.every(({ translation = "" }) => translation !== "" && !translation.includes("*"))).toBe(true);
  });

  // One fault of each kind. Other faults of a file: speech/decode.test.ts; of its audio: speech/built-in.test.ts.
  test("reports the fault of a damaged, silent or wordless file, and refuses an empty one", async () => {
    const { person } = await startReal();
    const wrong = [
      ["video-without-sound.mp4", "failed", "noSound"],
      ["truncated.mp3", "completed", "truncated"],
      ["noise.wav", "completed", "noSpeech"],
    ] as const;
    const made = await Promise.all(wrong.map(([name]) => transcribe(person, name)));
    expect(made).toMatchObject(wrong.map(([, status, code]) => ({ status, error: { code } })));
    expect(await refusal(await upload(person, await fixture("empty.wav")))).toBe("422 emptyFile");
  });

  // Every container and fault without recognition: speech/containers.test.ts.
  test("keeps the times across gaps and recognizes a recording whose channels cancel each other", async () => {
    const { person } = await startReal();
    const talk = ["-i", fileURLToPath(new URL("../../fixtures/audio/talk.wav", import.meta.url))];
    const picture = ["-f", "lavfi", "-i", "testsrc=size=160x120:rate=10", ...talk, "-shortest", ...h264];
    const gap = await made("gap.mkv", [...picture, "-af", "aselect='not(between(t,8,13))'", "-c:a", "aac"]);
    const inverted = await made("call.mp3", [...talk, "-af", "pan=stereo|c0=c0|c1=-1*c0", "-c:a", "aac", "-f", "ipod"]);
    const [late, cancelled] = [await sent(person, gap, "gap.mkv"), await sent(person, inverted, "call.mp3", "audio/mpeg")];
    const words = (await settled(person, late)).segments.flatMap((segment) => segment.words);
    const bridge = words.find(({ text }) => text === "bridge")?.start ?? 0;
    expect(Math.abs(bridge - 24), `${bridge}`).toBeLessThan(0.3);
    expect(spoken((await settled(person, cancelled)).text)).toBe(spoken(talkSentences.join(" ")));
    const served = await person.call("GET", `${base}/transcription/${cancelled}/audio`);
    expect(served.headers.get("Content-Type")).toBe("audio/mp4");
  });
});

describe("dictation with real engines", () => {
  /** The samples of a WAV file in frames of 200 ms. */
  async function frames(name: string): Promise<Buffer[]> {
    const pcm = Buffer.from(await fixture(name)).subarray(44);
    const list: Buffer[] = [];
    for (let at = 0; at < pcm.length; at += 6_400) {
      const number = Buffer.alloc(4);
      number.writeUInt32LE(list.length);
      list.push(Buffer.concat([number, pcm.subarray(at, at + 6_400)]));
    }
    return list;
  }

  // PROMISE speech: The server recognizes English offline, in files and live
  test("recognizes a dictation while the person speaks", async () => {
    const { server, person } = await startReal();
    const live = await Dictation.start(server.apiUrl, person.token);
    const all = await frames("talk.wav");
    for (const one of all) live.sendBytes(one);
    await live.next("partial");
    live.say({ type: "end", frames: all.length });
    const { segments, durationSeconds } = await live.next("done");
    expect(spoken(textOf(segments))).toBe(spoken(talkSentences.join(" ")));
    expectTimes(segments, durationSeconds);
  });

  test("makes the same passages from a dictation as from a file", async () => {
    const { server, person } = await startReal();
    const live = await Dictation.start(server.apiUrl, person.token);
    const all = await frames("harbor.wav");
    for (const one of all) live.sendBytes(one);
    live.say({ type: "end", frames: all.length });
    const { segments } = await live.next("done");
    const made = await transcribe(person, "harbor.wav");
    expect(segments.map(({ text }) => text)).toEqual(made.segments.map(({ text }) => text));
  });

  test("loses no word when the connection breaks in the middle of a sentence", async () => {
    const { server, person } = await startReal();
    const all = await frames("harbor.wav");
    const first = await Dictation.start(server.apiUrl, person.token);
    for (const one of all.slice(0, 22)) first.sendBytes(one);
    await first.acked(22);
    await first.cut();
    const second = await Dictation.start(server.apiUrl, person.token, first.recordingId);
    for (const one of all.slice(22)) second.sendBytes(one);
    second.say({ type: "end", frames: all.length });
    const { segments, durationSeconds } = await second.next("done");
    expect(spoken(textOf(segments))).toBe(spoken(harborText));
    expectTimes(segments, durationSeconds);
  });
});
