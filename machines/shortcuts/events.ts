/** The actions that have a key. Each page says which of them are available. */
export const shortcutActions = [
  "palette",
  "search",
  "record",
  "upload",
  "help",
  "next",
  "previous",
  "edit",
  "playPause",
  "back",
  "forward",
  "slower",
  "faster",
  "undo",
  "redo",
  "find",
  "nextUnsure",
  "previousUnsure",
  "confirmWord",
  "note",
] as const;
export type ShortcutAction = (typeof shortcutActions)[number];

/** A dialog over the page: the search or the list of keys. */
export type ShortcutDialog = "search" | "keys";

export type ShortcutsEvent =
  /** From the keyboard: the key of an available action. */
  | { type: "key.struck"; action: ShortcutAction }
  /** From a page: these actions are available now. */
  | { type: "actions.offered"; actions: readonly ShortcutAction[] }
  /** The page that opens next performs this action as soon as it can. */
  | { type: "action.owed"; action: ShortcutAction }
  /** A key or a button. */
  | { type: "dialog.requested"; dialog: ShortcutDialog }
  /** From the keyboard, while a requested dialog is still loading. */
  | { type: "text.typed"; text: string }
  /** The dialog, once it is closed. */
  | { type: "dialog.closed" };

/** Emitted to the page. */
export type ShortcutsEmitted =
  /** The page performs the action now. */
  | { type: "action.due"; action: ShortcutAction }
  /** The dialog could not be loaded. */
  | { type: "dialog.failed" };
