import { afterAll, beforeAll, describe, test } from "vitest";
import { expect, type Parlance, startParlance } from "#tests/browser/harness.ts";
import { openFirefox } from "#tests/browser/harness-firefox.ts";
import { type SoundCard, startSound } from "#tests/browser/harness-sound.ts";
import { openWebKit } from "#tests/browser/harness-webkit.ts";
import { walk } from "./walk.ts";

// The other two engines: what all other browser tests see in Chromium can be done in them, too.

let server: Parlance;
let sound: SoundCard;
beforeAll(async () => {
  [server, sound] = await Promise.all([startParlance(), startSound()]);
});
afterAll(() => Promise.all([server?.stop(), sound?.[Symbol.asyncDispose]()]));

describe("everything that people come for can be done", () => {
  test.each([
    ["Firefox", openFirefox],
    ["WebKit", openWebKit],
  ])("in %s", async (_, open) => {
    await using tab = await open(sound.env);
    await walk({ tab, server, sound });
    expect(await tab.complaints()).toEqual([]);
  });
});
