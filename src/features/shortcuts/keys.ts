import type { ShortcutAction } from "#machines/shortcuts/events.ts";

/** The relevant part of a keyboard event. */
export type Keystroke = Pick<
  KeyboardEvent,
  "key" | "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey" | "isComposing" | "repeat" | "getModifierState"
>;

export interface Surroundings {
  /** On Macs, Alt types characters ("@" is Alt+L in Germany), so Control is used there. */
  mac: boolean;
  /**
   * The focused element: a text field; a list, in which letters choose; a button, which the space bar presses; or
   * another.
   */
  where: "text" | "choice" | "control" | "elsewhere";
  /** Whether keys without Alt or Ctrl are enabled. */
  singleKeys: boolean;
}

/**
 * The modifier: "ours" is Alt (Control on a Mac); "command" is Ctrl (⌘ on a Mac); "control" is Control everywhere;
 * "none" is no modifier.
 */
type Hold = "ours" | "command" | "control" | "none";

interface Key {
  /** A character; "␣" is the space bar. */
  key: string;
  hold: Hold;
  shift?: boolean;
  /** Absent: the key is only listed here, because the focused part of the page handles it by itself. */
  action?: ShortcutAction;
  /** Whether the key also works in a text field. Text fields have no such key of their own. */
  inText?: boolean;
  /** Whether Macs lack the key. */
  notMac?: boolean;
}

const ours = (key: string, action: ShortcutAction): Key => ({ key, hold: "ours", action, inText: true });
const alone = (key: string, action?: ShortcutAction): Key => ({ key, hold: "none", ...(action && { action }) });
const command = (key: string, action?: ShortcutAction): Key => ({ key, hold: "command", ...(action && { action }) });

/**
 * A row of the list: its text (`shortcuts:…`), its keys, and, if the keys don't tell, the action that the page must be
 * able to perform.
 */
export interface Row {
  text: string;
  keys: readonly Key[];
  needs?: ShortcutAction;
}

/**
 * All keys. J, K and L with Alt are known from video editors and YouTube. The F keys and Escape of other transcription
 * programs are not used, because they belong to the browser and to closing a field.
 */
export const table = {
  everywhere: [
    { text: "palette", keys: [{ ...command("K", "palette"), inText: true }] },
    { text: "search", keys: [alone("/", "search")] },
    { text: "record", keys: [alone("R", "record")] },
    { text: "upload", keys: [alone("U", "upload")] },
    { text: "help", keys: [alone("?", "help")] },
  ],
  lists: [
    { text: "next", keys: [alone("J", "next"), alone("K", "previous")] },
    { text: "edit", keys: [alone("E", "edit")] },
  ],
  listening: [
    {
      text: "playPause",
      keys: [
        ours("K", "playPause"),
        { key: "␣", hold: "control", action: "playPause", inText: true },
        { key: "␣", hold: "none", action: "playPause" },
      ],
    },
    { text: "back", keys: [ours("J", "back")] },
    { text: "forward", keys: [ours("L", "forward")] },
    { text: "slower", keys: [ours(",", "slower")] },
    { text: "faster", keys: [ours(".", "faster")] },
    { text: "words", keys: [alone("←"), alone("→")], needs: "playPause" },
  ],
  correcting: [
    { text: "rows", keys: [alone("↑"), alone("↓")], needs: "undo" },
    { text: "save", keys: [command("↵")], needs: "undo" },
    { text: "split", keys: [alone("↵")], needs: "undo" },
    { text: "merge", keys: [alone("⌫")], needs: "undo" },
    { text: "line", keys: [{ ...alone("↵"), shift: true }], needs: "undo" },
    { text: "leave", keys: [alone("Esc")], needs: "undo" },
    { text: "undo", keys: [command("Z", "undo")] },
    {
      text: "redo",
      keys: [
        { ...command("Z", "redo"), shift: true },
        { ...command("Y", "redo"), notMac: true },
      ],
    },
    { text: "find", keys: [ours("R", "find")] },
    { text: "unsure", keys: [ours("U", "nextUnsure"), { ...ours("U", "previousUnsure"), shift: true }] },
    { text: "confirmWord", keys: [ours("O", "confirmWord")] },
    { text: "annotate", keys: [ours("N", "note")] },
  ],
} as const satisfies Record<string, readonly Row[]>;

const bindings: readonly Key[] = Object.values(table).flatMap((rows) => rows.flatMap((row: Row) => row.keys));

/** The action of a keystroke; undefined for other keys. */
export function shortcutOf(stroke: Keystroke, around: Surroundings): ShortcutAction | undefined {
  if (stroke.isComposing || stroke.getModifierState("AltGraph")) return undefined;
  return bindings.find(({ action, ...key }) => action !== undefined && isStruck(key, stroke, around))?.action;
}

function isStruck({ key, hold, shift = false, inText = false, notMac = false }: Key, stroke: Keystroke, around: Surroundings) {
  const { mac, where, singleKeys } = around;
  if (heldIn(stroke, mac) !== hold && !(hold === "control" && stroke.ctrlKey && !stroke.altKey && !stroke.metaKey)) return false;
  if ((where === "text" && !inText) || (mac && notMac)) return false;
  if (hold === "none" && (!singleKeys || where === "choice")) return false;
  if (key === "␣") return stroke.code === "Space" && !stroke.shiftKey && (hold === "control" || where === "elsewhere");
  // Compares the key's position, because with Alt it may type another character.
  if (hold === "ours") return stroke.code === codeOf(key) && stroke.shiftKey === shift;
  // While held down, "R" records only once; J and K repeat.
  if (hold === "none" && stroke.repeat && key !== "J" && key !== "K") return false;
  const isLetter = /[A-Z]/.test(key);
  return stroke.key.toUpperCase() === key && (!isLetter || stroke.shiftKey === shift);
}

function heldIn({ altKey, ctrlKey, metaKey }: Keystroke, mac: boolean): Hold | undefined {
  const held = `${ctrlKey ? "ctrl" : ""}${altKey ? "alt" : ""}${metaKey ? "meta" : ""}`;
  if (held === "") return "none";
  if (held === (mac ? "ctrl" : "alt")) return "ours";
  return held === (mac ? "meta" : "ctrl") ? "command" : undefined;
}

const codeOf = (key: string): string => ({ ",": "Comma", ".": "Period" })[key] ?? `Key${key}`;

/** The kind of the focused element. */
export function surroundingsOf(target: EventTarget | null): Surroundings["where"] {
  if (!(target instanceof Element)) return "elsewhere";
  if (target.closest("textarea, input:not([type=radio], [type=checkbox], [type=range]), [contenteditable]")) return "text";
  if (target.closest("select, [role=listbox], [role=menu]")) return "choice";
  return target.closest("button, summary, input, [role=button]") ? "control" : "elsewhere";
}

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The label of a shortcut with Alt. @param letter "K", ",", … */
export const withOurs = (letter: string, mac: boolean): string => (mac ? `⌃ ${letter}` : `Alt + ${letter}`);
/** The shortcut in the format of `aria-keyshortcuts`. */
export const keyShortcut = (letter: string, mac: boolean): string => `${mac ? "Control" : "Alt"}+${letter}`;

/** The key's label as on the keyboard; undefined if this system lacks the key. */
export function labelOf({ key, hold, shift = false, notMac = false }: Key, mac: boolean): string | undefined {
  if (mac && notMac) return undefined;
  const letter = shift ? (mac ? `⇧ ${key}` : `Shift + ${key}`) : key;
  if (hold === "ours") return withOurs(letter, mac);
  if (hold === "command") return mac ? `${shift ? "⇧ " : ""}⌘ ${key}` : `Ctrl + ${letter}`;
  return hold === "control" ? (mac ? `⌃ ${key}` : `Ctrl + ${key}`) : letter;
}
