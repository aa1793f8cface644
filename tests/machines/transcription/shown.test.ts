import { describe, expect, test } from "vitest";
import type { Segment } from "#contract/index.ts";
import { type Changes, noChanges, shown } from "#machines/transcription/changes.ts";
import { transcription } from "#tests/machines/harness.ts";

const said = (start: number, text: string, parts: Partial<Segment> = {}): Segment => ({
  start,
  end: start + 1,
  text,
  words: [{ text, start, end: start + 1, confidence: 0.5 }],
  ...parts,
});

describe("shown transcript", () => {
  const server = transcription({
    text: "one two",
    segments: [said(0, "one", { heard: "wan" }), said(1, "two", { speaker: "Ada" })],
  });

  test("returns the server's transcript itself if nothing is changed", () => {
    expect(shown(server, noChanges)).toBe(server);
    expect(shown(server, { edits: {}, speakers: { 0: null, 1: "Ada" } })).toEqual(server);
  });

  test("shows no word times for a corrected text, and joins the whole text from its passages", () => {
    const next = shown(server, { edits: { 0: " ", 1: "2 " }, speakers: { 1: null } });
    expect(next.segments).toEqual([
      { start: 0, end: 1, text: " ", words: [] },
      { start: 1, end: 2, text: "2 ", words: [] },
    ]);
    expect(next.text).toBe("2");
    expect(shown(server, { edits: { 0: "one" } }).segments[0]).toBe(server.segments[0]);
    expect(shown(server, { edits: {}, speakers: { 0: "Bea" } })).toMatchObject({
      text: "one two",
      segments: [{ speaker: "Bea" }, {}],
    });
    const marked = { ...server, text: "One, two." };
    expect([shown(marked, { edits: {}, title: "x" }).text, shown(marked, { edits: { 0: "1" } }).text]).toEqual([
      "One, two.",
      "1 two",
    ]);
    expect(shown(server, { edits: {}, title: "", text: "all" })).toMatchObject({ title: "", text: "all" });
  });

  test("shows other people's unsettled and restored versions once", () => {
    const [a, b] = [
      { id: "a", text: "A", by: "anna@example.org" },
      { id: "b", text: "B", by: "bea@example.org" },
    ];
    const both = { ...server, segments: server.segments.map((one, at) => (at === 0 ? { ...one, others: [a] } : one)) };
    const others = (settled: Changes["others"]) =>
      shown(both, { edits: {}, others: settled ?? {} }).segments.map((one) => one.others);
    expect(others({ a: { index: 0, other: a, present: false } })).toEqual([undefined, undefined]);
    expect(others({ a: { index: 0, other: a, present: true } })).toEqual([[a], undefined]);
    expect(others({ b: { index: 0, other: b, present: true } })).toEqual([[a, b], undefined]);
    expect(others({ b: { index: 1, other: b, present: true } })).toEqual([[a], [b]]);
  });
});
