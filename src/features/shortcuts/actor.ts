import { type ActorRefFrom, type AnyEventObject, createActor, fromCallback, fromPromise } from "xstate";
import { type ShortcutAction, type ShortcutDialog, shortcutActions } from "#machines/shortcuts/events.ts";
import { shortcutsMachine } from "#machines/shortcuts/machine.ts";
import { inspected } from "#src/browser/inspection.ts";
import { toast } from "#src/browser/toasts.ts";
import { isMac, shortcutOf, surroundingsOf } from "./keys.ts";
import { singleKeys } from "./single-keys.ts";

type Actions = Partial<Record<ShortcutAction, () => void>>;

interface Offer {
  actions: Actions;
  isHere(): boolean;
}

/** The offers of all pages, followed by those of the current page. The last offer of an action counts. */
let offers: readonly Offer[] = [];

const handlerOf = (action: ShortcutAction) =>
  offers.findLast(({ actions, isHere }) => actions[action] !== undefined && isHere())?.actions[action];

/** Whether the current page can perform the action. */
export const canPerform = (action: ShortcutAction): boolean => handlerOf(action) !== undefined;
/** Performs the action if the current page can. */
export const perform = (action: ShortcutAction): void => handlerOf(action)?.();

/** The loaders of the dialogs. A map, because this feature must not import the dialogs' features. */
const loaders = new Map<ShortcutDialog, () => Promise<unknown>>();

/** Listens to the keyboard while no dialog is open. */
const listening = (hear: (event: KeyboardEvent, sendBack: (event: AnyEventObject) => void) => void) =>
  fromCallback(({ sendBack }) => {
    const heard = (event: KeyboardEvent) => {
      if (document.querySelector("dialog[open]") === null) hear(event, sendBack);
    };
    document.addEventListener("keydown", heard);
    return () => document.removeEventListener("keydown", heard);
  });

const machine = shortcutsMachine.provide({
  actors: {
    keys: listening((event, sendBack) => {
      if (event.defaultPrevented) return;
      const around = { mac: isMac(), where: surroundingsOf(event.target), singleKeys: singleKeys.get() };
      const action = shortcutOf(event, around);
      if (action === undefined || !canPerform(action)) return;
      event.preventDefault();
      sendBack({ type: "key.struck", action });
    }),
    typing: listening((event, sendBack) => {
      if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
      // Keeps the character out of the field that still has the focus.
      event.preventDefault();
      sendBack({ type: "text.typed", text: event.key });
    }),
    load: fromPromise(async ({ input }) => void (await loaders.get(input)?.())),
  },
});

let opened: ActorRefFrom<typeof machine> | undefined;

/** The application's keyboard shortcuts. Listens to keys from the first call on. */
export function openShortcuts(): ActorRefFrom<typeof machine> {
  if (opened !== undefined) return opened;
  const actor = createActor(machine, inspected());
  actor.on("action.due", ({ action }) => perform(action));
  actor.on("dialog.failed", () => toast({ kind: "error", key: "errors.network" }));
  opened = actor;
  return actor.start();
}

interface OfferOptions {
  /** Whether the action works on every page. A page's own offer takes precedence. */
  everywhere?: boolean;
  /** Whether the action is possible now. Default: always while it is offered. */
  isHere?(): boolean;
}

/** Offers actions for keys. @returns a function that withdraws the offer */
export function offerKeys(actions: Actions, { everywhere = false, isHere = () => true }: OfferOptions = {}): () => void {
  const offer = { actions, isHere };
  offers = everywhere ? [offer, ...offers] : [...offers, offer];
  openShortcuts().send({ type: "actions.offered", actions: shortcutActions.filter((action) => actions[action] !== undefined) });
  return () => {
    offers = offers.filter((other) => other !== offer);
  };
}

/** @param load loads the dialog's code and texts */
export function provideDialog(dialog: ShortcutDialog, load: () => Promise<unknown>): void {
  loaders.set(dialog, load);
}
