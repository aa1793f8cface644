/** What a key does on a transcript's page. */
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
  | "help";

/** The part of a keyboard event that counts. */
export type Keystroke = Pick<
  KeyboardEvent,
  "key" | "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey" | "isComposing" | "getModifierState"
>;

export interface Surroundings {
  /** Apple's keyboards write letters with Alt ("@" is Alt+L in Germany): there it is Control. */
  mac: boolean;
  /** A text is being typed, or a button has the focus, which the space bar presses. */
  where: "text" | "control" | "elsewhere";
  /** Keys without Alt or Ctrl do something. */
  singleKeys: boolean;
}

/**
 * With Alt (Control on a Mac) and anywhere, also while a text is typed. J, K and L are what video editors and YouTube have taught; the
 * F keys and Escape of other transcription programs belong to the browser, and to leaving a field.
 */
const withModifier: Readonly<Record<string, ShortcutAction>> = {
  KeyK: "playPause",
  KeyJ: "back",
  KeyL: "forward",
  Comma: "slower",
  Period: "faster",
  KeyR: "find",
  KeyU: "nextUnsure",
};

/** What a keystroke asks for; undefined when it is none of ours. */
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

/** By the letter, wherever the keyboard has it. */
function undoing({ key, shiftKey }: Keystroke, mac: boolean): ShortcutAction | undefined {
  const letter = key.toLowerCase();
  if (letter === "z") return shiftKey ? "redo" : "undo";
  return letter === "y" && !mac && !shiftKey ? "redo" : undefined;
}

/** Where a key is pressed. */
export function whereIs(target: EventTarget | null): Surroundings["where"] {
  if (!(target instanceof Element)) return "elsewhere";
  if (target.closest("textarea, input:not([type=radio], [type=checkbox], [type=range]), [contenteditable]")) return "text";
  return target.closest("button, summary, select, input, [role=button]") ? "control" : "elsewhere";
}

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** How it is written on the keyboard, for people. @param letter "K", ",", … */
export const withOurs = (letter: string, mac: boolean): string => (mac ? `⌃ ${letter}` : `Alt + ${letter}`);
/** As `aria-keyshortcuts` has it. */
export const keyShortcut = (letter: string, mac: boolean): string => `${mac ? "Control" : "Alt"}+${letter}`;
