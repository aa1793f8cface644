import { describe, expect, test } from "vitest";
import { type Keystroke, labelOf, type Surroundings, shortcutOf, table } from "#src/features/shortcuts/keys.ts";

const stroke = (key: string, code: string, held: Partial<Keystroke> = {}): Keystroke => ({
  key,
  code,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  isComposing: false,
  repeat: false,
  getModifierState: () => false,
  ...held,
});
const alt = { altKey: true };
const ctrl = { ctrlKey: true };
const shift = { shiftKey: true };
const around = (parts: Partial<Surroundings> = {}): Surroundings => ({
  mac: false,
  where: "elsewhere",
  singleKeys: true,
  ...parts,
});

describe("keys of the transcript", () => {
  test.each([
    ["k", "KeyK", "playPause"],
    ["j", "KeyJ", "back"],
    ["l", "KeyL", "forward"],
    [",", "Comma", "slower"],
    [".", "Period", "faster"],
    ["r", "KeyR", "find"],
    ["u", "KeyU", "nextUnsure"],
  ])("Alt and %s, wherever the focus is; on a Mac it is Control, because Alt writes letters there", (key, code, action) => {
    for (const where of ["text", "control", "elsewhere"] as const) {
      expect(shortcutOf(stroke(key, code, alt), around({ where }))).toBe(action);
      expect(shortcutOf(stroke(key, code, ctrl), around({ where, mac: true }))).toBe(action);
      expect(shortcutOf(stroke(key, code, alt), around({ where, mac: true }))).toBeUndefined();
      expect(shortcutOf(stroke(key, code, ctrl), around({ where }))).not.toBe(action);
      expect(shortcutOf(stroke(key, code), around({ where }))).not.toBe(action);
    }
  });

  test("with Shift it is the unsure word before", () => {
    expect(shortcutOf(stroke("U", "KeyU", { ...alt, ...shift }), around())).toBe("previousUnsure");
    expect(shortcutOf(stroke("K", "KeyK", { ...alt, ...shift }), around())).toBeUndefined();
  });

  test("Ctrl and the space bar play anywhere; the space bar alone only where it does nothing else", () => {
    const space = (held: Partial<Keystroke>, where: Surroundings["where"]) =>
      shortcutOf(stroke(" ", "Space", held), around({ where }));
    expect([space(ctrl, "text"), space(ctrl, "elsewhere")]).toEqual(["playPause", "playPause"]);
    expect([space({}, "text"), space({}, "control"), space({}, "elsewhere"), space(shift, "elsewhere")]).toEqual([
      undefined,
      undefined,
      "playPause",
      undefined,
    ]);
  });

  test("? opens the list, but not while a text is typed; single keys can be switched off", () => {
    const help = stroke("?", "Slash", shift);
    expect(shortcutOf(help, around({ where: "control" }))).toBe("help");
    expect(shortcutOf(help, around({ where: "text" }))).toBeUndefined();
    expect(shortcutOf(help, around({ singleKeys: false }))).toBeUndefined();
    expect(shortcutOf(stroke(" ", "Space"), around({ singleKeys: false }))).toBeUndefined();
    expect(shortcutOf(stroke("k", "KeyK", alt), around({ singleKeys: false }))).toBe("playPause");
  });

  test("undo and redo go by the letter, and are the field's own while a text is typed", () => {
    expect(shortcutOf(stroke("z", "KeyY", ctrl), around())).toBe("undo");
    expect(shortcutOf(stroke("Z", "KeyZ", { ...ctrl, ...shift }), around())).toBe("redo");
    expect(shortcutOf(stroke("y", "KeyY", ctrl), around())).toBe("redo");
    expect(shortcutOf(stroke("z", "KeyZ", ctrl), around({ where: "text" }))).toBeUndefined();
    expect(shortcutOf(stroke("z", "KeyZ", { metaKey: true }), around({ mac: true }))).toBe("undo");
    expect(shortcutOf(stroke("z", "KeyZ", { metaKey: true, ...shift }), around({ mac: true }))).toBe("redo");
    expect(shortcutOf(stroke("z", "KeyZ", ctrl), around({ mac: true }))).toBeUndefined();
  });

  test("what is composed, or written with AltGr, is left alone", () => {
    expect(shortcutOf(stroke("k", "KeyK", { ...alt, isComposing: true }), around())).toBeUndefined();
    expect(
      shortcutOf(stroke("ł", "KeyL", { ...alt, getModifierState: (name) => name === "AltGraph" }), around()),
    ).toBeUndefined();
    expect(shortcutOf(stroke("ł", "KeyL", { ...alt, ...ctrl }), around())).toBeUndefined();
  });
});

describe("keys of every page", () => {
  test.each([
    ["r", "KeyR", "record"],
    ["u", "KeyU", "upload"],
    ["e", "KeyE", "edit"],
    ["j", "KeyJ", "next"],
    ["k", "KeyK", "previous"],
    ["/", "Slash", "search"],
  ])("the key %s works alone, outside of fields and lists to choose from, and can be switched off", (key, code, action) => {
    const struck = (held: Partial<Keystroke>, parts: Partial<Surroundings> = {}) =>
      shortcutOf(stroke(key, code, held), around(parts));
    expect([struck({}), struck({}, { where: "control" }), struck({}, { mac: true })]).toEqual([action, action, action]);
    for (const where of ["text", "choice"] as const) expect(struck({}, { where })).toBeUndefined();
    expect(struck({}, { singleKeys: false })).toBeUndefined();
    for (const held of [ctrl, { metaKey: true }, { ...alt, ...ctrl }]) expect(struck(held)).not.toBe(action);
    expect(struck({ isComposing: true })).toBeUndefined();
  });

  test("a letter counts with caps lock but not with Shift; held down, only J and K go on", () => {
    expect(shortcutOf(stroke("R", "KeyR"), around())).toBe("record");
    expect(shortcutOf(stroke("R", "KeyR", shift), around())).toBeUndefined();
    expect(shortcutOf(stroke("/", "Digit7", shift), around())).toBe("search");
    expect(shortcutOf(stroke("r", "KeyR", { repeat: true }), around())).toBeUndefined();
    expect(shortcutOf(stroke("j", "KeyJ", { repeat: true }), around())).toBe("next");
  });

  test("Ctrl and K, or ⌘ and K on a Mac, open the search also from a field and where single keys are off", () => {
    const parts = { where: "text", singleKeys: false } as const;
    expect(shortcutOf(stroke("k", "KeyK", ctrl), around(parts))).toBe("palette");
    expect(shortcutOf(stroke("k", "KeyK", { metaKey: true }), around({ ...parts, mac: true }))).toBe("palette");
    expect(shortcutOf(stroke("k", "KeyK", ctrl), around({ ...parts, mac: true }))).toBe("playPause");
    expect(shortcutOf(stroke("k", "KeyK", { metaKey: true }), around(parts))).toBeUndefined();
  });

  test("the list names the keys as they are labelled on the keyboard", () => {
    const labels = (mac: boolean) => table.correcting.flatMap(({ keys }) => keys.flatMap((key) => labelOf(key, mac) ?? []));
    expect(labels(false)).toEqual(
      "↑,↓,Ctrl + ↵,↵,⌫,Shift + ↵,Esc,Ctrl + Z,Ctrl + Shift + Z,Ctrl + Y,Alt + R,Alt + U,Alt + Shift + U,Alt + O,Alt + N".split(
        ",",
      ),
    );
    expect(labels(true)).toEqual("↑,↓,⌘ ↵,↵,⌫,⇧ ↵,Esc,⌘ Z,⇧ ⌘ Z,⌃ R,⌃ U,⌃ ⇧ U,⌃ O,⌃ N".split(","));
  });
});
