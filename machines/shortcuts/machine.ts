import { type AnyEventObject, assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";
import type { ShortcutAction, ShortcutDialog, ShortcutsEmitted, ShortcutsEvent } from "./events.ts";

interface ShortcutsContext {
  /** The dialog that is open, or is being loaded. */
  dialog: ShortcutDialog;
  /** What was typed before the dialog was there: it begins with that. */
  typed: string;
  /** What the page that opens is to do, in the state `owing`. */
  owed: ShortcutAction;
}

/** The keys of the application. They do nothing while a dialog of theirs is open, or is being loaded. */
export const shortcutsMachine = setup({
  types: { context: {} as ShortcutsContext, events: {} as ShortcutsEvent, emitted: {} as ShortcutsEmitted, tags: {} as "open" },
  actors: {
    /** Sends `key.struck`. */
    keys: fromCallback<AnyEventObject>(() => notProvided("keys")),
    /** Sends `text.typed`, and keeps it from the page. */
    typing: fromCallback<AnyEventObject>(() => notProvided("typing")),
    /** Loads the code and the texts of a dialog. */
    load: fromPromise<void, ShortcutDialog>(async () => notProvided("load")),
  },
  actions: {
    assignDialog: assign({ dialog: (_, { dialog }: { dialog: ShortcutDialog }) => dialog, typed: "" }),
    addTyped: assign({ typed: ({ context }, { text }: { text: string }) => context.typed + text }),
    assignOwed: assign({ owed: (_, { action }: { action: ShortcutAction }) => action }),
    emitDue: emit((_, { action }: { action: ShortcutAction }): ShortcutsEmitted => ({ type: "action.due", action })),
    emitFailed: emit({ type: "dialog.failed" }),
  },
  guards: {
    isOwed: ({ context: { owed } }, { actions }: { actions: readonly ShortcutAction[] }) => actions.includes(owed),
  },
  /** So long (ms) a page may load: somebody who waits longer has done something else meanwhile. */
  delays: { timeout: 10_000 },
}).createMachine({
  id: "shortcuts",
  context: { dialog: "search", typed: "", owed: "record" },
  initial: "listening",
  states: {
    listening: {
      invoke: { src: "keys" },
      initial: "idle",
      on: {
        "key.struck": { target: ".idle", actions: withEvent("emitDue") },
        "action.owed": { target: ".owing", actions: withEvent("assignOwed") },
        "dialog.requested": { target: "asked", actions: withEvent("assignDialog") },
      },
      states: {
        idle: {},
        owing: {
          after: { timeout: "idle" },
          on: {
            "actions.offered": {
              guard: withEvent("isOwed"),
              target: "idle",
              actions: { type: "emitDue", params: ({ context: { owed } }) => ({ action: owed }) },
            },
          },
        },
      },
    },
    asked: {
      invoke: { src: "typing" },
      initial: "loading",
      on: { "text.typed": { actions: withEvent("addTyped") } },
      states: {
        loading: {
          invoke: {
            src: "load",
            input: ({ context: { dialog } }) => dialog,
            onDone: "open",
            onError: { target: "#shortcuts.listening", actions: "emitFailed" },
          },
        },
        open: { tags: "open", on: { "dialog.closed": "#shortcuts.listening" } },
      },
    },
  },
});

/** The dialog that is open; null: none. */
export const selectDialog = (snapshot: SnapshotFrom<typeof shortcutsMachine>): ShortcutDialog | null =>
  snapshot.hasTag("open") ? snapshot.context.dialog : null;

/** What was typed since a dialog was asked for, before it was there. */
export const selectTyped = ({ context }: SnapshotFrom<typeof shortcutsMachine>): string => context.typed;
