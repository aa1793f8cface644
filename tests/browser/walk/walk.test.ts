import { afterAll, beforeAll, describe, test } from "vitest";
import { expect, type Parlance, startParlance } from "#tests/browser/harness.ts";
import { openFirefox } from "#tests/browser/harness-firefox.ts";
import { type SoundCard, startSound } from "#tests/browser/harness-sound.ts";
import { openWebKit } from "#tests/browser/harness-webkit.ts";
import { walk } from "./walk.ts";

// The main tasks in the other two engines; all other browser tests use Chromium.

let server: Parlance;
let sound: SoundCard;
beforeAll(async () => {
  [server, sound] = await Promise.all([startParlance(), startSound()]);
});
afterAll(() => Promise.all([server?.stop(), sound?.[Symbol.asyncDispose]()]));

describe("walk through the main tasks", () => {
  test.each([
    ["Firefox", openFirefox],
    ["WebKit", openWebKit],
  ])("completes all main tasks in %s", async (_, open) => {
    await using tab = await open(sound.env);
    await walk({ tab, server, sound });
    expect(await tab.complaints()).toEqual([]);
  });
});
