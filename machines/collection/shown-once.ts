import { fromPromise, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";

// A secret that is shown only once: it stays until the person dismisses it, and can be copied. The event carries the
// text to copy, so that the machine does not store it.

export type ShownOnceEvent =
  /** The person copies the secret. */
  | { type: "copy.requested"; text: string }
  /** The person has saved the secret. */
  | { type: "secret.dismissed" };

/** The outcome of the last copy. */
export type ShownOnceTag = "copied" | "notCopied";

/** A machine with this state declares the same names in its own setup. */
export const copyActors = {
  /** Rejects when the browser blocks copying. */
  copy: fromPromise<void, { text: string }>(async () => notProvided("copy")),
};

/** The state that shows the secret: `copy.requested` leads to `copying`, `secret.dismissed` leaves the state. */
export const shownOnce = setup({
  types: { events: {} as ShownOnceEvent, tags: {} as ShownOnceTag },
  actors: copyActors,
}).createStateConfig({
  initial: "shown",
  states: {
    shown: {},
    copying: {
      invoke: {
        src: "copy",
        input: ({ event }: { event: { type: string; text?: string } }) => ({
          text: present(event.text ?? null, "what is copied"),
        }),
        onDone: "copied",
        onError: "notCopied",
      },
    },
    copied: { tags: "copied" },
    notCopied: { tags: "notCopied" },
  },
});

/** The outcome of the last copy; null before it is known. */
export const selectCopied = ({ tags }: { tags: ReadonlySet<string> }): ShownOnceTag | null =>
  tags.has("copied") ? "copied" : tags.has("notCopied") ? "notCopied" : null;
