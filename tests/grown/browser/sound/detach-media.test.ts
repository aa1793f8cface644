import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { detachMedia, opening } from "#src/audio/detach-media.ts";
import { sharedParlance } from "#tests/browser/harness.ts";
import { fixture } from "#tests/browser/harness-files.ts";
import { type SoundCard, startSound } from "#tests/browser/harness-sound.ts";
import { openWebKit } from "#tests/browser/harness-webkit.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";

// WebKitGTK hangs when an audio element is removed at the wrong moment while it opens. This happened once in some
// hundred path tests (a translation started to play while its user signed out), and here after about 45 elements.

/** Among eighty audio elements, some are removed at the wrong moment. */
const rounds = 8;
const each = 10;

const shared = sharedParlance({ acrossFiles: true });
let sound: SoundCard;
beforeAll(async () => {
  sound = await startSound();
});
afterAll(() => sound?.[Symbol.asyncDispose]());

/** Removes some sounds, each up to 60 ms after its start. Runs in the page. */
const leaving = (audio: string) => `(async () => {
  const haveMetadata = 1;
  ${opening}
  ${detachMedia}
  globalThis.market ??= Uint8Array.from(atob("${audio}"), (letter) => letter.charCodeAt(0));
  for (let left = 0; left < ${each}; left += 1) {
    const url = URL.createObjectURL(new Blob([market], { type: "audio/wav" }));
    const element = new Audio(url);
    element.play().catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, left * 6));
    await detachMedia(element);
    URL.revokeObjectURL(url);
  }
  return ${each};
})()`;

test(
  "releases eighty audio elements that are left during loading in WebKit",
  async () => {
    await using tab = await openWebKit(sound.env);
    await tab.open(shared.at("/about"));
    const audio = await readFile(fixture("market.wav"), "base64");
    for (let round = 0; round < rounds; round += 1) expect(await tab.evaluate(leaving(audio))).toBe(each);
    expect(await tab.complaints()).toEqual([]);
  },
  // A hanging browser never answers.
  timeLimit(120_000),
);
