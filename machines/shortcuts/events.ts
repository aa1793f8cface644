/** What a key of the application does; a page says which of them it can do now. */
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

/** What stands over the page: the search, or the list of keys. */
export type ShortcutDialog = "search" | "keys";

export type ShortcutsEvent =
  /** The keyboard: the key of something that can be done here. */
  | { type: "key.struck"; action: ShortcutAction }
  /** A page: from now on these can be done. */
  | { type: "actions.offered"; actions: readonly ShortcutAction[] }
  /** The page that opens is to do this, as soon as it can. */
  | { type: "action.owed"; action: ShortcutAction }
  /** A key or a button. */
  | { type: "dialog.requested"; dialog: ShortcutDialog }
  /** The keyboard, as long as a dialog that was asked for is not there. */
  | { type: "text.typed"; text: string }
  /** The dialog, once it is closed. */
  | { type: "dialog.closed" };

/** Emitted to the page. */
export type ShortcutsEmitted =
  /** It is to be done now. */
  | { type: "action.due"; action: ShortcutAction }
  /** The dialog can't be loaded. */
  | { type: "dialog.failed" };
