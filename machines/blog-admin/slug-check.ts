import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import { isSlug } from "./post-editor/rules.ts";

export type SlugCheckEvent =
  /** The editor: the post's current title. */
  | { type: "title.changed"; title: string }
  /** The person typed a slug; "": it is made from the title again. */
  | { type: "slug.typed"; slug: string }
  /** The editor: the post's slug on the server. */
  | { type: "post.saved"; id: string }
  /** The editor: another version is shown. */
  | { type: "slug.shown"; slug: string; own: boolean };

/** Emitted to the editor: the slug made from the title. */
export interface SlugCheckEmitted {
  type: "slug.made";
  slug: string;
}

interface SlugQuestion {
  /** The post that it is for: its own slug counts as free. */
  id: string | null;
  title: string;
  slug: string;
  /** Typed by hand; else it follows the title. */
  own: boolean;
}

/** A post's slug: made from its title until it is typed by hand, and checked for availability. */
export const slugCheckMachine = setup({
  types: {
    context: {} as SlugQuestion & { free: boolean },
    events: {} as SlugCheckEvent,
    emitted: {} as SlugCheckEmitted,
    input: {} as SlugQuestion,
    tags: {} as "checking",
  },
  actors: {
    /** The checked slug, and whether it is free for the post. */
    ask: fromPromise<{ slug: string; free: boolean }, SlugQuestion>(async () => notProvided("ask")),
  },
  actions: {
    assignTitle: assign({ title: (_, { title }: { title: string }) => title }),
    assignTyped: assign((_, { slug }: { slug: string }) => ({ slug, own: slug !== "" })),
    assignId: assign({ id: (_, { id }: { id: string }) => id }),
    assignShown: assign((_, { slug, own }: { slug: string; own: boolean }) => ({ slug, own })),
    assignAnswer: assign((_, { slug, free }: { slug: string; free: boolean }) => ({ slug, free })),
    emitSlug: emit((_, { slug }: { slug: string }): SlugCheckEmitted => ({ type: "slug.made", slug })),
  },
  guards: {
    isOwn: ({ context }) => context.own,
    hasNothing: ({ context: { own, title, slug } }) => (own ? slug === "" : title.trim() === ""),
    isWrong: ({ context: { own, slug } }) => own && !isSlug(slug),
    isOther: ({ context }, { slug }: { slug: string }) => context.slug !== slug,
  },
  delays: { typingPause: 400 },
}).createMachine({
  id: "slugCheck",
  context: ({ input }) => ({ ...input, free: true }),
  initial: "settled",
  on: {
    "title.changed": [
      { guard: "isOwn", actions: withEvent("assignTitle") },
      { target: ".pausing", actions: withEvent("assignTitle") },
    ],
    "slug.typed": { target: ".pausing", actions: withEvent("assignTyped") },
    "post.saved": { actions: withEvent("assignId") },
    "slug.shown": { guard: withEvent("isOther"), target: ".settled", actions: withEvent("assignShown") },
  },
  states: {
    /** Shows nothing: the slug is the post's own, or empty. */
    settled: {},
    pausing: { tags: "checking", after: { typingPause: "deciding" } },
    deciding: {
      always: [{ guard: "hasNothing", target: "settled" }, { guard: "isWrong", target: "wrong" }, { target: "asking" }],
    },
    asking: {
      tags: "checking",
      invoke: {
        src: "ask",
        input: ({ context: { id, title, slug, own } }) => ({ id, title, slug, own }),
        onDone: [
          {
            guard: "isOwn",
            target: "answered",
            actions: { type: "assignAnswer", params: ({ context, event }) => ({ slug: context.slug, free: event.output.free }) },
          },
          { target: "answered", actions: [withOutput("assignAnswer"), withOutput("emitSlug")] },
        ],
        // The server checks again when the post is saved.
        onError: "unknown",
      },
    },
    answered: {},
    wrong: {},
    unknown: {},
  },
});

type Snapshot = SnapshotFrom<typeof slugCheckMachine>;

export type SlugState = "settled" | "checking" | "free" | "taken" | "wrong" | "unknown";

export function selectSlugState(snapshot: Snapshot): SlugState {
  if (snapshot.hasTag("checking")) return "checking";
  if (snapshot.matches("answered")) return snapshot.context.free ? "free" : "taken";
  if (snapshot.matches("wrong")) return "wrong";
  return snapshot.matches("unknown") ? "unknown" : "settled";
}
export const selectSlug = (snapshot: Snapshot): string => snapshot.context.slug;
export const selectIsOwnSlug = (snapshot: Snapshot): boolean => snapshot.context.own;
