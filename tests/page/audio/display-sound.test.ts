import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, describe, expect, test, vi } from "vitest";
import { interfaceLanguages } from "#contract/interface-languages.ts";
import { canCaptureDisplay, displayProblems, isDisplayProblem, requestDisplaySound } from "#src/audio/display-sound.ts";
import { createSilenceWatch } from "#src/audio/silence.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A track that records whether it was stopped. */
function createTrack(kind: "audio" | "video") {
  const track = { kind, isStopped: false, stop: () => {} };
  track.stop = () => {
    track.isStopped = true;
  };
  return track;
}

/** The stream that a browser gives for a shared screen. */
function createStream(...kinds: ("audio" | "video")[]) {
  let tracks = kinds.map(createTrack);
  const given = tracks;
  return {
    given,
    getTracks: () => tracks,
    getAudioTracks: () => tracks.filter(({ kind }) => kind === "audio"),
    getVideoTracks: () => tracks.filter(({ kind }) => kind === "video"),
    removeTrack: (gone: object) => {
      tracks = tracks.filter((track) => track !== gone);
    },
  };
}

function stubBrowser(
  getDisplayMedia?: (wish: unknown) => Promise<unknown>,
  constraints: object = { suppressLocalAudioPlayback: true },
) {
  const mediaDevices = { ...(getDisplayMedia && { getDisplayMedia }), getSupportedConstraints: () => constraints };
  vi.stubGlobal("navigator", { mediaDevices });
}

const refuseWith = (name: string) => () => Promise.reject(Object.assign(new Error(), { name }));

describe("shared sound of a tab", () => {
  test("the shared sound of a tab is requested with its picture, which is stopped at once", async () => {
    const stream = createStream("video", "audio");
    let asked: unknown;
    stubBrowser(async (wish) => {
      asked = wish;
      return stream;
    });
    expect((await requestDisplaySound()).getTracks().map(({ kind }) => kind)).toEqual(["audio"]);
    expect(stream.given.map(({ kind, isStopped }) => [kind, isStopped])).toEqual([
      ["video", true],
      ["audio", false],
    ]);
    expect(asked).toMatchObject({ audio: { echoCancellation: false, noiseSuppression: false }, systemAudio: "include" });
  });

  test("ends sharing and tells the person what to tick when the sound is missing", async () => {
    const stream = createStream("video");
    stubBrowser(async () => stream);
    await expect(requestDisplaySound()).rejects.toMatchObject({ code: "displayWithoutSound" });
    expect(stream.given.every(({ isStopped }) => isStopped)).toBe(true);
  });

  test.each([
    ["NotAllowedError", "displayRefused"],
    ["InvalidStateError", "displayRefused"],
    ["NotReadableError", "displayBusy"],
    ["NotFoundError", "displayBusy"],
    ["TypeError", "displayUnsupported"],
  ])("reports the browser's error: %s", async (name, code) => {
    stubBrowser(refuseWith(name));
    await expect(requestDisplaySound()).rejects.toMatchObject({ code });
  });

  test.each([
    ["shares nothing, as on a telephone", undefined, { suppressLocalAudioPlayback: true }],
    ["shares pictures alone, as Firefox and Safari", refuseWith("asked"), {}],
  ])("recognizes before any request a browser that %s", async (_, getDisplayMedia, constraints) => {
    stubBrowser(getDisplayMedia, constraints);
    expect(canCaptureDisplay()).toBe(false);
    await expect(requestDisplaySound()).rejects.toMatchObject({ code: "displayUnsupported" });
  });

  test("the shared sound of a tab is unavailable on a page without https", () => {
    vi.stubGlobal("navigator", {});
    expect(canCaptureDisplay()).toBe(false);
  });
});

test("reports silence once when it has lasted, and its end once", () => {
  const told: boolean[] = [];
  const watch = createSilenceWatch(15, (isSilent) => told.push(isSilent));
  for (let at = 0; at <= 14; at++) watch.hear(0, at);
  expect(told).toEqual([]);
  for (let at = 15; at < 60; at++) watch.hear(0.01, at);
  expect(told).toEqual([true]);
  watch.hear(0.4, 60);
  for (let at = 61; at < 75; at++) watch.hear(0, at);
  expect(told).toEqual([true, false]);
  watch.hear(0, 75);
  expect(told).toEqual([true, false, true]);
});

const Texts = v.object({ source: v.object({ problem: v.record(v.string(), v.string()) }) });

test.each(interfaceLanguages.map(({ code }) => code))("has a separate text for every problem in %s", (language) => {
  const file = join(import.meta.dirname, "../../../public/locales", language, "dictation.json");
  const { problem } = v.parse(Texts, JSON.parse(readFileSync(file, "utf8"))).source;
  expect(Object.keys(problem).toSorted()).toEqual(displayProblems.toSorted());
  expect(new Set(Object.values(problem)).size).toBe(displayProblems.length);
  expect(["displayRefused", "refused"].map(isDisplayProblem)).toEqual([true, false]);
});
