import { describe, expect, test } from "vitest";
import type { HeardBy } from "#contract/index.ts";
import { restOf } from "#src/audio/frame-log.ts";
import {
  addRecognizedText,
  createRecognizedCaptions,
  firstUnrecognized,
  recognizedForServer,
} from "#src/audio/recognized-words.ts";
import { createRecordings } from "#src/audio/recordings.ts";
import { createTabs, frame, freshDb, until } from "#tests/page/dictation/harness.ts";
import { range, ready, setUp } from "./harness-transport.ts";

const said = (text: string, start: number) => ({ start, end: start + 1, text, words: [] });

const recognizedByBrowser = () => recognizedBy("browser");

async function recognizedBy(heardBy: HeardBy) {
  const harness = await setUp({ heardBy });
  const captions = createRecognizedCaptions(harness.frames, harness.captions);
  const hear = (text: string, start: number) => {
    addRecognizedText(harness.frames, [said(text, start)]);
    captions.refresh();
  };
  const texts = () => harness.captions.get().lines.map(({ text }) => text);
  return { ...harness, connect: () => harness.connect(captions), shown: captions, hear, texts };
}

describe("words recognized by the browser", () => {
  test("words recognized by the browser are sent after their sound and before the end, and shown as the server has them", async () => {
    const { connect, line, speak, frames, hear, texts } = await recognizedByBrowser();
    await speak(3);
    hear("guten Tag", 0);
    connect();
    const server = await line();
    expect(server.said[0]).toMatchObject({ type: "start", heardBy: "browser" });
    server.answer(ready(0));
    await until(() => server.said.length === 2);
    expect(server.said[1]).toEqual({ type: "heard", index: 0, segment: said("guten Tag", 0) });
    expect(server.numbers).toEqual(range(0, 3));
    server.answer({ type: "final", index: 0, segment: said("Guten Tag", 0) });
    await until(() => frames.row.heardConfirmed === 1);
    hear("zusammen", 2);
    expect(texts()).toEqual(["Guten Tag", "zusammen"]);
    frames.end();
    await until(() => server.said.length === 4);
    expect(server.said.slice(2).map(({ type }) => type)).toEqual(["heard", "end"]);
  });

  test("words recognized by the browser are sent again from where the server wants them", async () => {
    const { connect, line, speak, hear } = await recognizedByBrowser();
    await speak(13);
    hear("eins", 0);
    hear("zwei", 1);
    connect();
    const server = await line();
    server.answer(ready(0, ["eins"]));
    await until(() => server.said.length === 2);
    expect(server.said[1]).toMatchObject({ type: "heard", index: 1, segment: { text: "zwei" } });
    server.answer(ready(2));
    await until(() => server.said.length === 4);
    expect(server.said.slice(2).map(({ index }) => index)).toEqual([0, 1]);
  });

  test("words recognized by the browser wait for their sound, so that a slow server does not refuse them", async () => {
    const { connect, line, speak, hear } = await recognizedByBrowser();
    await speak(620);
    hear("eins", 0);
    hear("zwei", 45);
    connect();
    const server = await line();
    server.answer(ready(0));
    await until(() => server.numbers.length === 500);
    expect(server.said.slice(1).map(({ index }) => index)).toEqual([0]);
    server.answer({ type: "ack", ack: 100 });
    await until(() => server.said.length === 3);
    expect(server.said[2]).toMatchObject({ index: 1, segment: { text: "zwei" } });
  });

  test("words recognized by the browser move with sound that starts over on the server", async () => {
    const { frames, hear, speak } = await recognizedByBrowser();
    await speak(20);
    hear("alt", 0);
    hear("neu", 1);
    frames.change({ heardConfirmed: 1 });
    frames.confirm(10);
    frames.restart();
    expect(frames.row).toMatchObject({ base: 10, heard: [said("neu", 1)], heardConfirmed: 0 });
  });

  test("words recognized by the browser belong to the rest when spoken after the free minutes", async () => {
    const { frames, hear, speak } = await recognizedByBrowser();
    await speak(50);
    hear("noch", 0);
    hear("danach", 3.5);
    frames.cutAt(40);
    const rest = restOf(frames.row, 50);
    expect(rest?.heard).toEqual([said("danach", 3.5)]);
    expect(rest?.heardBy).toBe("browser");
  });

  test("words recognized by the browser are awaited when the free minutes end the recording", async () => {
    const { connect, line, speak, frames, hear, emitted } = await recognizedByBrowser();
    await speak(50);
    connect();
    const server = await line();
    server.answer(ready(0));
    await until(() => server.numbers.length === 50);
    server.answer({ type: "limit", frames: 40 });
    await until(() => emitted.some(({ type }) => type === "limit.reached"));
    await frames.settled();
    hear("noch", 1);
    frames.end();
    await until(() => server.said.length === 3);
    expect(server.said.slice(1)).toEqual([
      { type: "heard", index: 0, segment: said("noch", 1) },
      { type: "end", frames: 40 },
    ]);
  });

  test("words recognized by the browser leave the interim words on the screen", async () => {
    const { shown, hear, captions } = await recognizedByBrowser();
    shown.setPartial({ text: "und", start: 2 });
    hear("eins", 0);
    expect(captions.get().partial).toEqual({ text: "und", start: 2 });
    shown.setPartial({ text: "", start: 0 });
    hear("zwei", 1);
    expect(captions.get().partial).toBeNull();
  });

  test("words recognized by the browser are restored after a reload", async () => {
    const db = freshDb();
    const recordings = createRecordings({ db, locks: createTabs().open(), onTrouble: () => {} });
    const row = { ownerId: "ann", sourceLanguage: "de-DE", targetLanguage: null, heardBy: "browser", startedAt: 0 } as const;
    const { frames, release } = await recordings.begin(row);
    frames.append(frame(1));
    addRecognizedText(frames, [said("guten Tag", 0)]);
    await frames.settled();
    await release();
    const { frames: again } = await recordings.resume(frames.row.id);
    expect(again.row).toMatchObject({ heardBy: "browser", heard: [said("guten Tag", 0)] });
  });

  test("words recognized by the browser are awaited from a model on this device before the sound ends", async () => {
    const { frames, speak, hear, db } = await recognizedBy("device");
    await speak(20);
    frames.end();
    frames.confirm(20);
    hear("hello", 0);
    await frames.settled();
    expect([frames.total, frames.captured, (await db.frames(frames.row.id, 0, 20)).size]).toEqual([null, 20, 20]);
    expect(firstUnrecognized(frames.row)).toBe(13);
    frames.endWords();
    await frames.settled();
    expect([frames.total, (await db.frames(frames.row.id, 0, 20)).size]).toEqual([20, 0]);
    frames.cutAt(15);
    expect(restOf(frames.row, 20)).toMatchObject({ base: 15, heard: [], heardToEnd: true });
  });

  test("words recognized by the browser are dropped when this device gives up and the server recognizes everything", async () => {
    const { frames, speak, hear, connect, line } = await recognizedBy("device");
    await speak(3);
    hear("hello", 0);
    frames.end();
    frames.leaveToServer();
    expect(frames.row).not.toMatchObject({ heard: expect.anything() });
    connect();
    const server = await line();
    expect(server.said[0]).not.toHaveProperty("heardBy");
    server.answer(ready(0));
    await until(() => server.said.length === 2);
    expect(server.said[1]).toEqual({ type: "end", frames: 3 });
  });

  test("words recognized by the browser keep their times in the server's recording", async () => {
    const { frames } = await recognizedBy("device");
    const words = [{ text: "hello", start: 2, end: 2.5 }];
    frames.change({ base: 20, heard: [{ ...said("hello", 2), words }] });
    expect(recognizedForServer(frames.row)[0]?.words).toEqual([{ text: "hello", start: 0.4, end: 0.9 }]);
  });
});
