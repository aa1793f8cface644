import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, describe, expect, test, vi } from "vitest";
import { interfaceLanguages } from "#contract/interface-languages.ts";
import { openMicrophone } from "#src/audio/microphone.ts";
import { failureKey, isLacking, microphoneProblems } from "#src/audio/microphone-problem.ts";
import { createStore } from "#src/browser/store.ts";
import { openSoundRecorder } from "#src/features/vault/sound-recorder.ts";

// A missing browser feature is named before the browser is asked for the microphone.

afterEach(() => {
  vi.unstubAllGlobals();
});

interface BrowserParts {
  isSecure?: boolean;
  getUserMedia?: () => Promise<never>;
  has?: readonly string[];
}

/** A browser with these recording features and no others. */
function stubBrowser({ isSecure = true, getUserMedia, has = [] }: BrowserParts): void {
  vi.stubGlobal("isSecureContext", isSecure);
  vi.stubGlobal("navigator", { mediaDevices: getUserMedia && { getUserMedia }, vendor: "" });
  for (const name of has) vi.stubGlobal(name, { isTypeSupported: () => true });
}

const refuseWith = (name: string) => () => Promise.reject(Object.assign(new Error(), { name }));
const neverAsked = () => Promise.reject(new Error("asked"));
const open = {
  AudioWorkletNode: () => openMicrophone(new AbortController().signal),
  MediaRecorder: () => openSoundRecorder({ level: createStore(0), elapsed: createStore(0) }, new AbortController().signal),
};
const ways = [
  ["AudioWorkletNode", "noAudioWorklet"],
  ["MediaRecorder", "noMediaRecorder"],
] as const;

describe.each(ways)("recording with %s", (part, code) => {
  test("reports the missing browser feature", async () => {
    stubBrowser({ getUserMedia: neverAsked });
    await expect(open[part]()).rejects.toMatchObject({ code });
  });

  test("reports a browser without microphone access", async () => {
    stubBrowser({ has: [part] });
    await expect(open[part]()).rejects.toMatchObject({ code: "noGetUserMedia" });
  });

  test("reports a page without https, where another browser would not help", async () => {
    stubBrowser({ isSecure: false });
    await expect(open[part]()).rejects.toMatchObject({ code: "insecure" });
    stubBrowser({ isSecure: false, getUserMedia: neverAsked });
    await expect(open[part]()).rejects.toMatchObject({ code: "insecure" });
  });

  test.each([
    ["NotAllowedError", "refused"],
    ["NotReadableError", "busy"],
    ["NotFoundError", "missing"],
  ])("reports the browser's error: %s", async (name, told) => {
    stubBrowser({ getUserMedia: refuseWith(name), has: [part] });
    await expect(open[part]()).rejects.toMatchObject({ code: told });
  });
});

const Texts = v.object({ speech: v.object({ microphone: v.record(v.string(), v.string()) }) });

test.each(interfaceLanguages.map(({ code }) => code))("has a separate text for every problem in %s", (language) => {
  const file = join(import.meta.dirname, "../../../public/locales", language, "app.json");
  const { microphone } = v.parse(Texts, JSON.parse(readFileSync(file, "utf8"))).speech;
  const words = microphoneProblems.map((problem) => microphone[problem]);
  expect(new Set(words).size).toBe(microphoneProblems.length);
  expect(words).not.toContain(undefined);
});

test("offers an upload instead only if a retry would not help", () => {
  expect(microphoneProblems.filter(isLacking)).toEqual([
    "unsupported",
    "insecure",
    "noGetUserMedia",
    "noAudioWorklet",
    "noMediaRecorder",
  ]);
  expect(["limitReached", "network"].filter(isLacking)).toEqual([]);
  expect([failureKey("insecure"), failureKey("network")]).toEqual(["app:speech.microphone.insecure", "errors.network"]);
});
