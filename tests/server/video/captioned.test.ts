import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { captionedMs, type Segment, StorageUse } from "#contract/index.ts";
import { rowBytes } from "#server/db/counted.ts";
import { asAss } from "#server/exports/ass.ts";
import { labelsFor } from "#server/exports/labels.ts";
import { openTestDb } from "#tests/server/database.ts";
import {
  asPerson,
  base,
  eventually,
  getTranscription,
  type Person,
  read,
  refusal,
  signInAgain,
  signUp,
  startTestServer,
  temporaryFolder,
  testClock,
} from "#tests/server/harness.ts";
import { ask, captioned, clip, h264, made, pathOf, rowsAt, sent, streamsOf } from "./videos.ts";

/** Caches the result: each run of ffmpeg takes as long as a test. */
const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let done: Promise<Value> | undefined;
  return () => {
    done ??= make();
    return done;
  };
};
const base360 = once(() => made("film.mp4", [...clip(3, "640x360"), ...h264, "-c:a", "aac"]));
/** One second of clip, eight times. Drawing captions takes a second: long enough to query the state meanwhile. */
async function long() {
  const path = join(await temporaryFolder(), "second.mp4");
  await writeFile(path, await made("second.mp4", [...clip(1, "1280x720", 30), ...h264, "-c:a", "aac"]));
  return made("long.mp4", ["-stream_loop", "7", "-i", path, "-c", "copy"]);
}

async function begin(env: Record<string, string> = {}) {
  const clock = testClock();
  const server = await startTestServer({ env, now: clock.now, videoTimes: { pollMs: 60, beatMs: 30 } });
  const person = await signUp(server);
  const file = (id: string) => join(server.dataDir, "audio", id, "captioned");
  return { clock, server, person, file };
}

/** Gives a transcription this text, from the first to the last second of the film. */
async function says(dataDir: string, id: string, text: string, translation?: string): Promise<void> {
  const segment: Segment = { start: 0, end: 3, text, words: [], ...(translation !== undefined && { translation }) };
  const db = await openTestDb(dataDir);
  await db
    .updateTable("transcriptions")
    .set({ segments: JSON.stringify([segment]) })
    .where("id", "=", id)
    .execute();
  await db.destroy();
}

const caption = (person: Person, id: string, content: string) =>
  person.call("POST", `${base}/transcription/${id}/captioned`, { content, lng: "en" });

/** Indexes of the picture's rows that aren't one plain color. */
const drawnRows = (rows: readonly Buffer[]) => rows.flatMap((row, at) => (Math.max(...row) - Math.min(...row) > 60 ? [at] : []));

describe("a video with captions drawn into it", () => {
  // PROMISE player: A video shows its picture, captions in both languages, and takes them into a file
  test("draws captions at the bottom, lets the owner download the video, and deletes it after a day", async () => {
    const { clock, server, person, file } = await begin();
    const used = async () => (await read(await person.call("GET", "/api/v1/storage"), 200, StorageUse)).usedBytes;
    const id = await sent(person, await base360(), "film.mp4");
    // Commands in a text must not reach the renderer.
    const hostile = "{\\an8}{\\pos(320,10)}Up\\Nhere\nDialogue: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,{\\an8}top";
    await says(server.dataDir, id, hostile);
    const script = asAss(await getTranscription(person, id), { labels: labelsFor("en"), content: "original", aspect: 16 / 9 });
    const lines = script.split("\n").filter((line) => line.startsWith("Dialogue:"));
    const texts = lines.map((line) => line.split(",,0,0,0,,").slice(1).join(""));
    // Every brace is escaped, and every backslash except for those of escapes and our own line breaks is neutralized.
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(text.replaceAll(/\\[{}N]|\\\u2060/g, "")).not.toMatch(/[\\{}]/);

    const before = await used();
    expect((await caption(person, id, "original")).status).toBe(202);
    const video = await captioned(person, id);
    const expiresAt = new Date(clock.now() + captionedMs).toISOString();
    expect(video).toEqual({ state: "ready", content: "original", fraction: 1, problem: null, undrawn: 0, expiresAt });
    const answer = await person.call("GET", `${pathOf(id, "captioned")}?name=${encodeURIComponent("Hafen: ruhig")}`);
    expect(answer.headers.get("Content-Disposition")).toContain('attachment; filename="Hafen ruhig.mp4"');
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(await streamsOf(bytes)).toEqual(["h264,640,360", "aac"]);
    const drawn = drawnRows(await rowsAt(bytes, 1, 640));
    expect([drawn.length > 10, Math.min(...drawn) > 250, Math.max(...drawn) < 358]).toEqual([true, true, true]);
    expect((await used()) - before).toBe(bytes.length + rowBytes);
    expect(await refusal(await (await signUp(server)).call("GET", pathOf(id, "captioned")))).toBe("404 notFound");

    clock.advance(captionedMs + 1);
    await server.sweep();
    const later = await signInAgain(server, person);
    const left = await read(await later.call("GET", "/api/v1/storage"), 200, StorageUse);
    expect([(await ask(later, id)).captioned, existsSync(file(id)), left.usedBytes]).toEqual([null, false, before]);
  });

  test("makes one captioned video at a time, stops on request, resumes after a restart, and limits requests", async () => {
    const { clock, server, person, file } = await begin();
    const slow = await sent(person, await long(), "long.mp4");
    const other = await sent(person, await base360(), "film.mp4");
    const sound = await sent(person, await readFile(new URL("../../fixtures/audio/market.webm", import.meta.url)), "a.webm");
    expect(await refusal(await caption(person, sound, "original"))).toBe("404 notFound");
    await caption(person, slow, "original");
    expect(await refusal(await caption(person, other, "original"))).toBe("409 tooManyAtOnce");
    await eventually(
      () => ask(person, slow),
      ({ captioned: video }) => (video?.fraction ?? 0) > 0,
    );
    expect((await person.call("DELETE", `${base}/transcription/${slow}/captioned`)).status).toBe(204);
    expect(await refusal(await person.call("DELETE", `${base}/transcription/${slow}/captioned`))).toBe("404 notFound");
    expect((await caption(person, other, "both")).status).toBe(202);
    expect((await captioned(person, other))?.state).toBe("ready");
    expect([(await ask(person, slow)).captioned, existsSync(file(slow))]).toEqual([null, false]);

    expect((await caption(person, slow, "translation")).status).toBe(202);
    // Requests refused because another video is being made count, too; four were made before.
    const answers = [];
    for (let count = 4; count < 20; count += 1) answers.push((await caption(person, other, "original")).status);
    expect(new Set(answers)).toEqual(new Set([409]));
    expect((await caption(person, other, "original")).status).toBe(429);
    await eventually(
      () => ask(person, slow),
      ({ captioned: video }) => (video?.fraction ?? 0) > 0,
    );
    await server.close();
    const again = await startTestServer({ dataDir: server.dataDir, now: clock.now, videoTimes: { pollMs: 60, beatMs: 30 } });
    const same = asPerson(again, person.token);
    expect((await captioned(same, slow))?.state).toBe("ready");
    // An hour later a new video is made, although one exists.
    clock.advance(60 * 60 * 1000 + 1);
    expect((await caption(await signInAgain(again, person), slow, "original")).status).toBe(202);
  });
});
