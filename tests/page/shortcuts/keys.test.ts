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

describe("keys in a transcript", () => {
  test.each([
    ["k", "KeyK", "playPause"],
    ["j", "KeyJ", "back"],
    ["l", "KeyL", "forward"],
    [",", "Comma", "slower"],
    [".", "Period", "faster"],
    ["r", "KeyR", "find"],
    ["u", "KeyU", "nextUnsure"],
  ])("keys in a transcript combine Alt with %s wherever the focus is, and Control on a Mac", (key, code, action) => {
    for (const where of ["text", "control", "elsewhere"] as const) {
      expect(shortcutOf(stroke(key, code, alt), around({ where }))).toBe(action);
      expect(shortcutOf(stroke(key, code, ctrl), around({ where, mac: true }))).toBe(action);
      expect(shortcutOf(stroke(key, code, alt), around({ where, mac: true }))).toBeUndefined();
      expect(shortcutOf(stroke(key, code, ctrl), around({ where }))).not.toBe(action);
      expect(shortcutOf(stroke(key, code), around({ where }))).not.toBe(action);
    }
  });

  test("keys in a transcript go to the previous uncertain word with Shift", () => {
    expect(shortcutOf(stroke("U", "KeyU", { ...alt, ...shift }), around())).toBe("previousUnsure");
    expect(shortcutOf(stroke("K", "KeyK", { ...alt, ...shift }), around())).toBeUndefined();
  });

  test("keys in a transcript play with Ctrl and the space bar anywhere, and with the space bar alone if it has no other use", () => {
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

  test("keys in a transcript open the list with ? unless text is typed; single keys can be switched off", () => {
    const help = stroke("?", "Slash", shift);
    expect(shortcutOf(help, around({ where: "control" }))).toBe("help");
    expect(shortcutOf(help, around({ where: "text" }))).toBeUndefined();
    expect(shortcutOf(help, around({ singleKeys: false }))).toBeUndefined();
    expect(shortcutOf(stroke(" ", "Space"), around({ singleKeys: false }))).toBeUndefined();
    expect(shortcutOf(stroke("k", "KeyK", alt), around({ singleKeys: false }))).toBe("playPause");
  });

  test("keys in a transcript undo and redo by letter, and leave a text field its own undo", () => {
    expect(shortcutOf(stroke("z", "KeyY", ctrl), around())).toBe("undo");
    expect(shortcutOf(stroke("Z", "KeyZ", { ...ctrl, ...shift }), around())).toBe("redo");
    expect(shortcutOf(stroke("y", "KeyY", ctrl), around())).toBe("redo");
    expect(shortcutOf(stroke("z", "KeyZ", ctrl), around({ where: "text" }))).toBeUndefined();
    expect(shortcutOf(stroke("z", "KeyZ", { metaKey: true }), around({ mac: true }))).toBe("undo");
    expect(shortcutOf(stroke("z", "KeyZ", { metaKey: true, ...shift }), around({ mac: true }))).toBe("redo");
    expect(shortcutOf(stroke("z", "KeyZ", ctrl), around({ mac: true }))).toBeUndefined();
  });

  test("keys in a transcript ignore composed input and AltGr", () => {
    expect(shortcutOf(stroke("k", "KeyK", { ...alt, isComposing: true }), around())).toBeUndefined();
    expect(
      shortcutOf(stroke("ł", "KeyL", { ...alt, getModifierState: (name) => name === "AltGraph" }), around()),
    ).toBeUndefined();
    expect(shortcutOf(stroke("ł", "KeyL", { ...alt, ...ctrl }), around())).toBeUndefined();
  });
});

describe("the keys on every page", () => {
  test.each([
    ["r", "KeyR", "record"],
    ["u", "KeyU", "upload"],
    ["e", "KeyE", "edit"],
    ["j", "KeyJ", "next"],
    ["k", "KeyK", "previous"],
    ["/", "Slash", "search"],
  ])("keys on every page work alone outside of fields and lists, and can be switched off: %s", (key, code, action) => {
    const struck = (held: Partial<Keystroke>, parts: Partial<Surroundings> = {}) =>
      shortcutOf(stroke(key, code, held), around(parts));
    expect([struck({}), struck({}, { where: "control" }), struck({}, { mac: true })]).toEqual([action, action, action]);
    for (const where of ["text", "choice"] as const) expect(struck({}, { where })).toBeUndefined();
    expect(struck({}, { singleKeys: false })).toBeUndefined();
    for (const held of [ctrl, { metaKey: true }, { ...alt, ...ctrl }]) expect(struck(held)).not.toBe(action);
    expect(struck({ isComposing: true })).toBeUndefined();
  });

  test("keys on every page ignore caps lock but not Shift, and repeat only J and K", () => {
    expect(shortcutOf(stroke("R", "KeyR"), around())).toBe("record");
    expect(shortcutOf(stroke("R", "KeyR", shift), around())).toBeUndefined();
    expect(shortcutOf(stroke("/", "Digit7", shift), around())).toBe("search");
    expect(shortcutOf(stroke("r", "KeyR", { repeat: true }), around())).toBeUndefined();
    expect(shortcutOf(stroke("j", "KeyJ", { repeat: true }), around())).toBe("next");
  });

  test("keys on every page open the search with Ctrl or ⌘ and K, even in a field", () => {
    const parts = { where: "text", singleKeys: false } as const;
    expect(shortcutOf(stroke("k", "KeyK", ctrl), around(parts))).toBe("palette");
    expect(shortcutOf(stroke("k", "KeyK", { metaKey: true }), around({ ...parts, mac: true }))).toBe("palette");
    expect(shortcutOf(stroke("k", "KeyK", ctrl), around({ ...parts, mac: true }))).toBe("playPause");
    expect(shortcutOf(stroke("k", "KeyK", { metaKey: true }), around(parts))).toBeUndefined();
  });

  test("keys on every page are listed with their labels on the keyboard", () => {
    const labels = (mac: boolean) => table.correcting.flatMap(({ keys }) => keys.flatMap((key) => labelOf(key, mac) ?? []));
    expect(labels(false)).toEqual(
      "↑,↓,Ctrl + ↵,↵,⌫,Shift + ↵,Esc,Ctrl + Z,Ctrl + Shift + Z,Ctrl + Y,Alt + R,Alt + U,Alt + Shift + U,Alt + O,Alt + N".split(
        ",",
      ),
    );
    expect(labels(true)).toEqual("↑,↓,⌘ ↵,↵,⌫,⇧ ↵,Esc,⌘ Z,⇧ ⌘ Z,⌃ R,⌃ U,⌃ ⇧ U,⌃ O,⌃ N".split(","));
  });
});
