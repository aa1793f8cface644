import { describe, expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import type { CaptionedVideo, ExportContent } from "#contract/index.ts";
import { captionedMachine } from "#machines/video/captioned.ts";
import { selectCaptioned, selectIsAsking, selectIsMaking, selectRefusal } from "#machines/video/selectors.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

const video = (state: CaptionedVideo["state"], fraction = 0): CaptionedVideo => ({
  state,
  content: "both",
  fraction,
  problem: state === "failed" ? "storageFull" : null,
  undrawn: 0,
  expiresAt: state === "ready" ? "2026-03-02T12:00:00.000Z" : null,
});

function setUp() {
  const poll = answering<CaptionedVideo | null>();
  const request = answering<CaptionedVideo | null, { content: ExportContent }>();
  const drop = answering<void>();
  const download = answering<void>();
  const downloadSubtitles = answering<void>();
  const machine = captionedMachine.provide({
    actors: {
      poll: poll.logic,
      request: request.logic,
      drop: drop.logic,
      download: download.logic,
      downloadSubtitles: downloadSubtitles.logic,
    },
  });
  const clock = new SimulatedClock();
  const actor = stopsAfterTest(createActor(machine, { clock })).start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  return { poll, request, drop, download, downloadSubtitles, clock, get, send: actor.send.bind(actor) };
}

describe("video with captions", () => {
  test("the video with captions is requested, made and downloaded", async () => {
    const { poll, request, download, clock, get, send } = setUp();
    await poll.last().resolve(null);
    send({ type: "video.requested", content: "translation" });
    expect([request.last().input, get(selectIsAsking)]).toEqual([{ content: "translation" }, true]);
    await request.last().resolve(video("waiting"));
    expect(get(selectIsMaking)).toBe(true);
    clock.increment(2_000);
    await poll.last().resolve(video("making", 0.5));
    expect(get(selectCaptioned)?.fraction).toBe(0.5);
    clock.increment(2_000);
    await poll.last().resolve(video("ready", 1));
    send({ type: "download.requested" });
    await download.last().resolve();
    clock.increment(60_000);
    expect([get(selectCaptioned)?.state, get(selectIsAsking), poll.asked.length]).toEqual(["ready", false, 3]);
  });

  test("the video with captions is followed through an outage if it was already being made, and can be canceled", async () => {
    const { poll, drop, clock, get, send } = setUp();
    await poll.last().reject("network");
    clock.increment(10_000);
    await poll.last().resolve(video("making", 0.1));
    send({ type: "video.dropped" });
    await drop.last().resolve();
    expect([get(selectCaptioned), get(selectIsMaking)]).toEqual([null, false]);
  });

  test("shows why it was refused until the next request", async () => {
    const { poll, request, downloadSubtitles, get, send } = setUp();
    await poll.last().resolve(null);
    send({ type: "video.requested", content: "both" });
    await request.last().reject("tooManyAtOnce");
    expect(get(selectRefusal)).toBe("tooManyAtOnce");
    send({ type: "subtitles.requested" });
    expect(get(selectRefusal)).toBeNull();
    await downloadSubtitles.last().reject("network");
    expect(get(selectRefusal)).toBe("network");
  });

  test("the video with captions is looked for again when it is gone at a download or deletion", async () => {
    const { poll, download, drop, get, send } = setUp();
    await poll.last().resolve(video("ready", 1));
    send({ type: "download.requested" });
    await download.last().reject("notFound");
    await poll.last().resolve(video("ready", 1));
    expect(get(selectRefusal)).toBe("notFound");
    send({ type: "video.dropped" });
    await drop.last().reject("notFound");
    await poll.last().resolve(null);
    expect(get(selectCaptioned)).toBeNull();
  });
});
