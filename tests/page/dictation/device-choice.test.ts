import { expect, test } from "vitest";
import { isForDevice } from "#src/features/dictation/device-choice.ts";

const english = { sourceLanguage: "en", targetLanguage: null } as const;

test("uses this device instead of the server only offline, for English, and with a ready model", () => {
  const ready = { isAway: true, mayListen: true };
  expect(isForDevice(english, ready)).toBe(true);
  expect(isForDevice(english, { ...ready, isAway: false })).toBe(false);
  expect(isForDevice(english, { ...ready, mayListen: false })).toBe(false);
  for (const sourceLanguage of ["auto", "de-DE"] as const) expect(isForDevice({ ...english, sourceLanguage }, ready)).toBe(false);
  expect(isForDevice({ ...english, heardBy: "browser" }, ready)).toBe(false);
});
