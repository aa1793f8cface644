/** The action of a shortcut on a transcript's page. */
export type ShortcutAction =
  | "playPause"
  | "back"
  | "forward"
  | "slower"
  | "faster"
  | "undo"
  | "redo"
  | "find"
  | "nextUnsure"
  | "previousUnsure"
  | "confirmWord"
  | "note"
  | "help";

/** The relevant part of a keyboard event. */
export type Keystroke = Pick<
  KeyboardEvent,
  "key" | "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey" | "isComposing" | "getModifierState"
>;

export interface Surroundings {
  /** On Macs, Alt types characters ("@" is Alt+L in Germany): Control is used there. */
  mac: boolean;
  /** A text field has the focus, or a button, which the space bar presses. */
  where: "text" | "control" | "elsewhere";
  /** Shortcuts without Alt or Ctrl are enabled. */
  singleKeys: boolean;
}

/**
 * With Alt (Control on a Mac), also while typing. J, K and L are known from video editors and YouTube; the
 * F keys and Escape of other transcription programs belong to the browser, and to closing a field.
 */
const withModifier: Readonly<Record<string, ShortcutAction>> = {
  KeyK: "playPause",
  KeyJ: "back",
  KeyL: "forward",
  Comma: "slower",
  Period: "faster",
  KeyR: "find",
  KeyU: "nextUnsure",
  KeyO: "confirmWord",
  KeyN: "note",
};

/** The action of a keystroke; undefined for other keys. */
export function shortcutOf(stroke: Keystroke, { mac, where, singleKeys }: Surroundings): ShortcutAction | undefined {
  if (stroke.isComposing || stroke.getModifierState("AltGraph")) return undefined;
  const { altKey, ctrlKey, metaKey, shiftKey } = stroke;
  if (ctrlKey && !altKey && !metaKey && stroke.code === "Space") return "playPause";
  const ours = mac ? ctrlKey && !altKey && !metaKey : altKey && !ctrlKey && !metaKey;
  if (ours) {
    const action = withModifier[stroke.code];
    if (shiftKey) return action === "nextUnsure" ? "previousUnsure" : undefined;
    return action;
  }
  const command = mac ? metaKey && !ctrlKey && !altKey : ctrlKey && !altKey && !metaKey;
  if (command && where !== "text") return undoing(stroke, mac);
  if (altKey || ctrlKey || metaKey || !singleKeys || where === "text") return undefined;
  if (stroke.key === "?") return "help";
  return stroke.code === "Space" && !shiftKey && where === "elsewhere" ? "playPause" : undefined;
}

/** By character, independent of the keyboard layout. */
function undoing({ key, shiftKey }: Keystroke, mac: boolean): ShortcutAction | undefined {
  const letter = key.toLowerCase();
  if (letter === "z") return shiftKey ? "redo" : "undo";
  return letter === "y" && !mac && !shiftKey ? "redo" : undefined;
}

/** Where a shortcut applies. */
export function whereIs(target: EventTarget | null): Surroundings["where"] {
  if (!(target instanceof Element)) return "elsewhere";
  if (target.closest("textarea, input:not([type=radio], [type=checkbox], [type=range]), [contenteditable]")) return "text";
  return target.closest("button, summary, select, input, [role=button]") ? "control" : "elsewhere";
}

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The label of a shortcut. @param letter "K", ",", … */
export const withOurs = (letter: string, mac: boolean): string => (mac ? `⌃ ${letter}` : `Alt + ${letter}`);
/** In the format of `aria-keyshortcuts`. */
export const keyShortcut = (letter: string, mac: boolean): string => `${mac ? "Control" : "Alt"}+${letter}`;
