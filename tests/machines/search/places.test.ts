import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { placesOf } from "#contract/search/places.ts";
import { folded } from "#contract/search/terms.ts";

describe("place of a term in a text", () => {
  test.each([
    ["istanbul", "İstanbul", "İstanbul"],
    ["İSTANBUL", "in istanbul", "istanbul"],
    ["isparta", "ISPARTA, ısparta", "ISPARTA"],
    ["cafe", "le Café", "Café"],
    ["cafe", "le Cafe\u0301.", "Cafe\u0301"],
    ["café", "le CAFE", "CAFE"],
    ["strasse", "die Straße", "Straße"],
    ["straße", "STRASSE", "STRASSE"],
    ["strasse", "STRAẞE", "STRAẞE"],
    ["arger", "der Ärger", "Ärger"],
    ["aero", "Ærø", "Ærø"],
    ["oeuvre", "l’œuvre", "œuvre"],
    ["lodz", "Łódź", "Łódź"],
    ["espana", "España", "España"],
    ["abc12", "ＡＢＣ１２", "ＡＢＣ１２"],
    ["finale", "ﬁnale", "ﬁnale"],
    ["l'avion", "l’avion", "l’avion"],
    ['"so"', "he said “so”", "“so”"],
    ["10-12", "10–12", "10–12"],
    ["10 000", "10\u00a0000", "10\u00a0000"],
    ["10 000", "10\u202f000", "10\u202f000"],
    ["two words", "two\n  words", "two\n  words"],
    ["donau", "Do\u00adnau", "Do\u00adnau"],
    ["wait...", "wait…", "wait…"],
    ["σοφος", "ΣΟΦΌΣ", "ΣΟΦΌΣ"],
    ["ελка".replace("ελ", "ел"), "Ёлка", "Ёлка"],
    ["한국", "한국어".normalize("NFD"), "한국".normalize("NFD")],
    ["が", "か\u3099", "か\u3099"],
    ["ガパ", "のｶﾞﾊﾟ", "ｶﾞﾊﾟ"],
    ["two words", "two \u200f words", "two \u200f words"],
    ["s", "ß", "ß"],
    ["aß", "xassx", "ass"],
  ])("finds %s in %s", (typed, text, marked) => {
    const [place = [0, 0]] = placesOf(text, folded(typed).trim());
    expect(text.slice(...place)).toBe(marked);
  });

  test("finds each place of a term once", () => {
    expect(placesOf("Café cafe CAFÉ", "cafe")).toEqual([
      [0, 4],
      [5, 9],
      [10, 14],
    ]);
    expect(placesOf("ß", "s")).toEqual([[0, 1]]);
    expect(placesOf("ßß", "ss")).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect([placesOf("abc", ""), placesOf("", "a"), placesOf("abc", "d")]).toEqual([[], [], []]);
  });

  test("marks ordered places that contain the term, in any text", () => {
    const texts = fc.string({ unit: fc.constantFrom(..."aàßİıﬁœ e\u0301\u0308’ １…\u00ad\n가\u1100\u1161か\u3099😀") });
    fc.assert(
      fc.property(texts, texts, (text, typed) => {
        const wanted = folded(typed).trim();
        let last = 0;
        for (const [from, to] of placesOf(text, wanted)) {
          expect(from).toBeGreaterThanOrEqual(last);
          expect(to).toBeGreaterThan(from);
          expect(folded(text.slice(from, to))).toContain(wanted);
          last = to;
        }
        expect(folded(folded(text))).toBe(folded(text));
      }),
    );
  });
});
