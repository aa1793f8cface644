import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { speakerColours } from "#src/ui/speaker-colours.ts";

const css = (path: string) => readFileSync(new URL(`../../../src/${path}`, import.meta.url), "utf8");
const pairs = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`, "g"))].map(([, light = "", dark = ""]) => ({
    light,
    dark,
  }));

/** Relative luminance by WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe("colors of speakers", () => {
  const colours = pairs(css("ui/speaker-colours.module.css"), "speaker");
  const tokens = css("ui/tokens.css");
  test.each(["paper", "surface", "sunken"])("colors of speakers are readable on %s, in light and dark mode", (name) => {
    const [back] = pairs(tokens, name);
    expect(colours).toHaveLength(8);
    for (const { light, dark } of colours) {
      expect(contrast(light, back?.light ?? "")).toBeGreaterThanOrEqual(4.5);
      expect(contrast(dark, back?.dark ?? "")).toBeGreaterThanOrEqual(4.5);
    }
  });

  test("colors of speakers follow the order of speaking, and stay when a name changes", () => {
    const said = (...speakers: (string | undefined)[]) => speakers.map((speaker) => (speaker === undefined ? {} : { speaker }));
    const before = speakerColours(said("1", "2", undefined, "1", "3"));
    const after = speakerColours(said("Ada", "2", undefined, "Ada", "3"));
    expect([...before.keys()]).toEqual(["1", "2", "3"]);
    expect(new Set(before.values()).size).toBe(3);
    expect([...after.values()]).toEqual([...before.values()]);
    expect(speakerColours(said("1", undefined, "1")).size).toBe(0);
    expect(speakerColours(said(...Array.from({ length: 10 }, (_, at) => `${at}`))).get("8")).toBe(before.get("1"));
  });
});
