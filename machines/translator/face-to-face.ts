import { type ActorRefFrom, assign, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";

export type FaceToFaceEvent =
  /** The person lays the device between the two. */
  | { type: "open.requested" }
  /** The person wants the ordinary view. */
  | { type: "close.requested" }
  /** The page: the person opposite reads another language. `texts`: the interface language nearest to it. */
  | { type: "language.changed"; texts: string }
  /** The actor `wakeUps`: the network is back, or the page is visible again. */
  | { type: "page.resumed" };

interface FaceToFaceInput {
  /** Whether it opens automatically: as it was last time, and on a phone the first time. */
  isOpen: boolean;
  texts: string;
}

/** Texts that could not be loaded are asked for again after this time (ms). */
const retryDelayMs = 5_000;

/**
 * The face-to-face view: open or not, with the hints and buttons for the person opposite in their language. Until those
 * are loaded, that half uses the page's language.
 */
export const faceToFaceMachine = setup({
  types: {
    context: {} as FaceToFaceInput,
    events: {} as FaceToFaceEvent,
    input: {} as FaceToFaceInput,
    tags: {} as "open" | "translated",
  },
  actors: {
    /** Loads the page's texts in this language. Rejects when they can't be had now. */
    loadTexts: fromPromise<void, { texts: string }>(async () => notProvided("loadTexts")),
    wakeUps: fromCallback<FaceToFaceEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    rememberLanguage: assign({ texts: (_, { texts }: { texts: string }) => texts }),
    /** The person's choice, for their next visits. */
    rememberChoice: (_, _choice: { isOpen: boolean }) => notProvided("rememberChoice"),
  },
  guards: {
    opensByItself: ({ context }) => context.isOpen,
    isOther: ({ context }, { texts }: { texts: string }) => context.texts !== texts,
  },
  delays: { retry: retryDelayMs },
}).createMachine({
  id: "faceToFace",
  context: ({ input }) => ({ ...input }),
  initial: "deciding",
  states: {
    deciding: { always: [{ guard: "opensByItself", target: "open" }, { target: "closed" }] },
    closed: {
      on: {
        "open.requested": { target: "open", actions: { type: "rememberChoice", params: { isOpen: true } } },
        "language.changed": { actions: withEvent("rememberLanguage") },
      },
    },
    open: {
      tags: "open",
      initial: "loading",
      on: {
        "close.requested": { target: "closed", actions: { type: "rememberChoice", params: { isOpen: false } } },
        "language.changed": {
          guard: withEvent("isOther"),
          target: ".loading",
          // An earlier request is obsolete.
          reenter: true,
          actions: withEvent("rememberLanguage"),
        },
      },
      states: {
        loading: {
          invoke: {
            src: "loadTexts",
            input: ({ context }) => ({ texts: context.texts }),
            onDone: "translated",
            onError: "missing",
          },
        },
        translated: { tags: "translated" },
        missing: {
          invoke: { src: "wakeUps" },
          on: { "page.resumed": "loading" },
          after: { retry: "loading" },
        },
      },
    },
  },
});

export type FaceToFaceActor = ActorRefFrom<typeof faceToFaceMachine>;
type Snapshot = SnapshotFrom<typeof faceToFaceMachine>;

export const selectIsFaceToFace = (snapshot: Snapshot): boolean => snapshot.hasTag("open");
/** The language of the texts in the opposite half; null while there are none, and the page's own are shown. */
export const selectTextsOpposite = (snapshot: Snapshot): string | null =>
  snapshot.hasTag("translated") ? snapshot.context.texts : null;
