import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Segment } from "#contract/index.ts";
import { corrected } from "#server/transcription/correct.ts";
import { merge } from "#server/transcription/merge.ts";
import { runs } from "#tests/fixtures/fuzz.ts";
import { segment } from "#tests/server/jobs/scripted.ts";

// Two people write the same text at once, and nothing gets lost, in whatever order the changes arrive.

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");
const words = fc.array(fc.constantFrom("the", "harbour", "is", "old", "and", "wide"), { maxLength: 8 });
const same = (text: string): string => wordsOf(text).join(" ");

/** One person rewrites some words of the segment they last saw, after looking at the present text if `looks`. */
interface Act {
  who: 0 | 1;
  index: number;
  from: number;
  count: number;
  added: number;
  looks: boolean;
}
const act: fc.Arbitrary<Act> = fc.record({
  who: fc.constantFrom(0, 1),
  index: fc.nat(1),
  from: fc.nat(6),
  count: fc.nat(3),
  added: fc.nat(2),
  looks: fc.boolean(),
});

function play(begins: readonly string[], acts: readonly Act[]) {
  let now: readonly Segment[] = begins.map((text, index) => segment(text, index, index + 1));
  const seen = [now, now];
  const added = new Set<string>();
  const removed = new Set<string>();
  for (const [at, { who, index, from, count, added: more, looks }] of acts.entries()) {
    if (looks) seen[who] = now;
    const base = seen[who]?.[index]?.text ?? "";
    const fresh = Array.from({ length: more }, (_, each) => `w${at}x${each}`);
    const before = wordsOf(base);
    const text = before.toSpliced(from, count, ...fresh).join(" ");
    for (const word of fresh) added.add(word);
    for (const word of before) if (!wordsOf(text).includes(word)) removed.add(word);
    now = corrected(now, { edits: [{ index, text, base }] }, `${who}@example.org`).segments;
    // Until the answer arrives the page shows what its user has written.
    seen[who] = (seen[who] ?? []).map((one, each) => (each === index ? { ...one, text } : one));
  }
  const there = now.flatMap(({ text, others = [] }) => [text, ...others.map((other) => other.text)]).flatMap(wordsOf);
  return { now, lost: [...added].filter((word) => !removed.has(word) && !there.includes(word)) };
}

describe("text that two people write at once", () => {
  // PROMISE sharing: Corrections of two people at once are merged, and no word is lost
  test("keeps every added word in the text or beside it unless somebody who saw it removed it", () => {
    const begins = fc.tuple(words, words).map((texts) => texts.map((text) => text.join(" ")));
    fc.assert(
      fc.property(begins, fc.array(act, { maxLength: 8 }), (texts, acts) => {
        expect(play(texts, acts).lost).toEqual([]);
      }),
      runs(300),
    );
  });

  test("merges two changes into the same text in either order", () => {
    fc.assert(
      fc.property(words, words, words, (before, one, other) => {
        const [base, mine, theirs] = [before.join(" "), one.join(" "), other.join(" ")];
        const [first, second] = [merge({ base, mine, theirs }), merge({ base, mine: theirs, theirs: mine })];
        expect(first.isClean).toBe(second.isClean);
        if (first.isClean) expect(same(first.text)).toBe(same(second.text));
      }),
      runs(200),
    );
  });

  test("takes one person's text when the other changed nothing or the same", () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        const [base, mine] = [before.join(" "), after.join(" ")];
        for (const theirs of [base, mine]) {
          const merged = merge({ base, mine, theirs });
          expect([same(merged.text), merged.isClean]).toEqual([mine, true]);
        }
      }),
      runs(100),
    );
  });
});
