import { type AnyEventObject, assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";
import type { ShortcutAction, ShortcutDialog, ShortcutsEmitted, ShortcutsEvent } from "./events.ts";

interface ShortcutsContext {
  /** The dialog that is open or loading. */
  dialog: ShortcutDialog;
  /** Text typed before the dialog was loaded: the dialog begins with it. */
  typed: string;
  /** The action for the page that opens next, in the state `owing`. */
  owed: ShortcutAction;
}

/** The application's keys. They do nothing while one of their dialogs is open or loading. */
export const shortcutsMachine = setup({
  types: { context: {} as ShortcutsContext, events: {} as ShortcutsEvent, emitted: {} as ShortcutsEmitted, tags: {} as "open" },
  actors: {
    /** Sends `key.struck`. */
    keys: fromCallback<AnyEventObject>(() => notProvided("keys")),
    /** Sends `text.typed`, and hides the text from the page. */
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
  /** Time limit for a page to load (ms): after that, the person has moved on. */
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

/** The open dialog; null for none. */
export const selectDialog = (snapshot: SnapshotFrom<typeof shortcutsMachine>): ShortcutDialog | null =>
  snapshot.hasTag("open") ? snapshot.context.dialog : null;

/** Text typed before the requested dialog was loaded. */
export const selectTyped = ({ context }: SnapshotFrom<typeof shortcutsMachine>): string => context.typed;
