import { assign, emit, fromCallback, fromPromise, setup } from "xstate";
import type { VaultItem } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type VaultTextEvent =
  /** Sent by the person, or by the page after a recording without live words. */
  | { type: "text.requested"; id: string }
  /** The person requests the text again, and must confirm, because corrections would be lost. */
  | { type: "again.requested"; id: string }
  | { type: "again.confirmed" }
  | { type: "again.cancelled" }
  /** Sent by the person, or by the page when the item was deleted. */
  | { type: "cancel.requested"; id: string }
  /** The actor `model`: the model is on this device. */
  | { type: "model.arrived" }
  /** The vault was locked: nothing decrypted stays on the page. */
  | { type: "vault.locked" };

/** Tells the page that the item has this text now. */
export interface VaultTextEmitted {
  type: "text.stored";
  item: VaultItem;
}

interface VaultTextContext {
  /** The items whose texts are requested, in order; the first one is in progress. */
  ids: readonly string[];
  /** Why the last attempt failed, by item. */
  failures: Readonly<Record<string, string>>;
  /** The item whose text may be replaced, while the question is open; otherwise null. */
  asked: string | null;
}

interface Input {
  id: string;
}

const first = ({ context }: { context: VaultTextContext }): Input => ({ id: context.ids[0] ?? "" });

/** Stores why this item has no text, and continues with the next item. */
const giveUp = { target: "#vaultText.idle", actions: [withEvent("rememberFailure"), "removeFirst"] } as const;

/** Recognizes items of the vault on this device, one at a time. Audio and words are outside the machine. */
export const vaultTextMachine = setup({
  types: {
    context: {} as VaultTextContext,
    events: {} as VaultTextEvent,
    emitted: {} as VaultTextEmitted,
    tags: {} as Exclude<VaultTextPhase, "waiting">,
  },
  actors: {
    /** Reports when the model is on this device, at once if it already is. */
    model: fromCallback<VaultTextEvent>(() => notProvided("model")),
    /** Fetches and decrypts the audio. Progress bypasses the machine. */
    fetchSound: fromPromise<void, Input>(async () => notProvided("fetchSound")),
    /** Recognizes its words. Progress bypasses the machine. */
    recognize: fromPromise<void, Input>(async () => notProvided("recognize")),
    /** Encrypts the text and sends it. */
    store: fromPromise<VaultItem, Input>(async () => notProvided("store")),
    /** The browser asks before the page is left: minutes of work would be lost. */
    holdPage: fromCallback(() => notProvided("holdPage")),
  },
  actions: {
    /** Discards audio and words. */
    release: () => notProvided("release"),
    addItem: assign(({ context: { ids, failures } }, { id }: Input) => {
      const { [id]: _, ...others } = failures;
      return { ids: ids.includes(id) ? ids : [...ids, id], failures: others };
    }),
    removeItem: assign({ ids: ({ context: { ids } }, { id }: Input) => ids.filter((one) => one !== id) }),
    removeFirst: assign({ ids: ({ context: { ids } }) => ids.slice(1) }),
    clearItems: assign({ ids: [], asked: null }),
    rememberFailure: assign({
      failures: ({ context }, { error }: Failed) => ({ ...context.failures, [first({ context }).id]: codeOf(error) }),
    }),
    ask: assign({ asked: (_, { id }: Input) => id }),
    stopAsking: assign({ asked: null }),
    emitStored: emit((_, item: VaultItem): VaultTextEmitted => ({ type: "text.stored", item })),
  },
  guards: {
    isWanted: ({ context }) => context.ids.length > 0,
    isFirst: ({ context }, { id }: Input) => first({ context }).id === id,
    isAsked: ({ context }) => context.asked !== null,
  },
}).createMachine({
  id: "vaultText",
  context: { ids: [], failures: {}, asked: null },
  initial: "idle",
  on: {
    "text.requested": { actions: withEvent("addItem") },
    "again.requested": { actions: withEvent("ask") },
    "again.cancelled": { guard: "isAsked", actions: "stopAsking" },
    "again.confirmed": {
      guard: "isAsked",
      actions: [{ type: "addItem", params: ({ context }) => ({ id: context.asked ?? "" }) }, "stopAsking"],
    },
    "vault.locked": { target: ".idle", actions: "clearItems" },
  },
  states: {
    idle: { always: { guard: "isWanted", target: "making" } },
    making: {
      exit: "release",
      on: {
        "cancel.requested": [
          { guard: withEvent("isFirst"), target: "idle", actions: "removeFirst" },
          { actions: withEvent("removeItem") },
        ],
      },
      initial: "awaitingModel",
      states: {
        awaitingModel: { tags: "model", invoke: { src: "model" }, on: { "model.arrived": "fetching" } },
        fetching: {
          tags: "fetching",
          invoke: {
            src: "fetchSound",
            input: first,
            onDone: "recognizing",
            onError: giveUp,
          },
        },
        recognizing: {
          tags: "recognizing",
          invoke: [{ src: "recognize", input: first, onDone: "storing", onError: giveUp }, { src: "holdPage" }],
        },
        storing: {
          tags: "storing",
          invoke: [
            {
              src: "store",
              input: first,
              onDone: { target: "#vaultText.idle", actions: [withOutput("emitStored"), "removeFirst"] },
              onError: giveUp,
            },
            { src: "holdPage" },
          ],
        },
      },
    },
  },
});

type TextSnapshot = ReturnType<typeof vaultTextMachine.getInitialSnapshot>;

const phases = ["model", "fetching", "recognizing", "storing"] as const;
/** The step of an item's recognition; `model`: waits for the model's download; `waiting`: waits for other items. */
export type VaultTextPhase = "waiting" | (typeof phases)[number];

/** null: the text of this item is not in progress. */
export function selectTextPhase(snapshot: TextSnapshot, id: string): VaultTextPhase | null {
  if (!snapshot.context.ids.includes(id)) return null;
  return (first(snapshot).id === id && phases.find((phase) => snapshot.hasTag(phase))) || "waiting";
}
/** Why the last attempt failed, until the next one. */
export const selectWhyNoText = (snapshot: TextSnapshot, id: string): string | null => snapshot.context.failures[id] ?? null;
/** Whether the replacement of its text must be confirmed. */
export const selectIsAskedAgain = (snapshot: TextSnapshot, id: string): boolean => snapshot.context.asked === id;
