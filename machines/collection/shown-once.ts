import { fromPromise, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";

// A secret that nobody sees again: shown until the person has kept it, and copied if they want. The machine hears it while it is copied,
// and does not keep it for that.

export type ShownOnceEvent =
  /** The person copies what is shown. */
  | { type: "copy.requested"; text: string }
  /** The person has kept it. */
  | { type: "secret.dismissed" };

/** What became of the last copy. */
export type ShownOnceTag = "copied" | "notCopied";

/** A machine with this state has the same names in its own setup. */
export const copyActors = {
  /** Rejects when the browser lets nothing be copied. */
  copy: fromPromise<void, { text: string }>(async () => notProvided("copy")),
};

/** The state in which it is shown: `copy.requested` leads to `copying`, `secret.dismissed` away. */
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

/** What became of the last copy; null before it is known. */
export const selectCopied = ({ tags }: { tags: ReadonlySet<string> }): ShownOnceTag | null =>
  tags.has("copied") ? "copied" : tags.has("notCopied") ? "notCopied" : null;
