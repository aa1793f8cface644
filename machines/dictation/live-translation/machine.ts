import { type ActorRefFrom, assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import { agreed, type Interim, nextPhrase, type Phrase, type TranslatedPhrase, withPhrase } from "./rules.ts";

/** A final text and the state of its translation. */
export interface LiveText {
  text: string;
  /** failed: until the person retries. */
  status: "pending" | "done" | "failed";
  translation?: string;
  /** The translation of its phrases before it was final. It is shown until the final translation is there. */
  draft?: string;
}

export type LiveTranslationEvent =
  /** The captions: all final texts so far; some may have a translation. */
  | { type: "texts.changed"; texts: readonly Pick<LiveText, "text" | "translation">[] }
  /** From the captions: the interim text of the current utterance; "" if there is none. */
  | { type: "interim.recognized"; text: string }
  /** The person, or the code that saves the texts, retries failed translations. */
  | { type: "retry.requested" };

interface LiveTranslationContext {
  texts: readonly LiveText[];
  interim: Interim;
  phrases: readonly TranslatedPhrase[];
  /** The index of the text in translation. */
  at: number;
  /** The phrase in translation. */
  asked: Phrase | null;
  /** The translated phrases; they stay until something newer replaces them. */
  draft: string;
  /** Phrases in a row that could not be translated. */
  failures: number;
}

/** Between an answer and the next phrase (ms): one call a second at most for each who speaks. */
const phraseIntervalMs = 1_000;
/** After failures the interval doubles up to this (ms). */
const maxIntervalMs = 16_000;
/** Text that has not changed for this long counts as stable (ms). */
const stillMs = 800;

const noInterim: Interim = { text: "", stable: "" };

const nextPending = (texts: readonly LiveText[]): number => texts.findIndex(({ status }) => status === "pending");

/** Known texts keep their translations; the interim text of the first new one until now is its draft. */
function merged({ texts, draft }: LiveTranslationContext, now: readonly Pick<LiveText, "text" | "translation">[]): LiveText[] {
  return now.map(({ text, translation }, index) => {
    const before = texts[index];
    if (before?.text === text) return before;
    if (translation !== undefined) return { text, translation, status: "done" };
    return { text, status: "pending", ...(index === texts.length && draft !== "" && { draft }) };
  });
}

/** The texts with the one in translation changed. */
function answered({ texts, at }: LiveTranslationContext, change: (text: LiveText) => LiveText): LiveText[] {
  return texts.map((each, index) => (index === at ? change(each) : each));
}

/**
 * The live translation. Final texts are translated one at a time, in order. Between them, the stable part of the
 * current utterance is translated phrase by phrase. A phrase's translation is replaced by that of the final text.
 */
export const liveTranslationMachine = setup({
  types: { context: {} as LiveTranslationContext, events: {} as LiveTranslationEvent },
  actors: {
    /** Leaving the state calls it off. */
    translate: fromPromise<string, { text: string }>(async () => notProvided("translate")),
  },
  actions: {
    mergeTexts: assign(({ context }, { texts }: { texts: readonly Pick<LiveText, "text" | "translation">[] }) => {
      const now = merged(context, texts);
      // The utterance has become a text, or everything starts again.
      return texts.length === context.texts.length ? { texts: now } : { texts: now, interim: noInterim, phrases: [], draft: "" };
    }),
    followInterim: assign(({ context: { interim, phrases, draft } }, { text }: { text: string }) =>
      text === ""
        ? { interim: noInterim, phrases: [], draft: "" }
        : { interim: { text, stable: agreed(interim.text, text) }, phrases, draft },
    ),
    believe: assign({ interim: ({ context: { interim } }) => ({ text: interim.text, stable: interim.text }) }),
    askPhrase: assign({ asked: ({ context: { interim, phrases } }) => nextPhrase(interim, phrases) }),
    assignPhrase: assign(({ context }, output: string) => {
      const phrases = withPhrase(context.phrases, { ...present(context.asked, "The phrase"), translation: output });
      return { phrases, asked: null, failures: 0, draft: phrases.map(({ translation }) => translation.trim()).join(" ") };
    }),
    countFailure: assign({ asked: null, failures: ({ context }) => context.failures + 1 }),
    chooseText: assign({ at: ({ context }) => nextPending(context.texts) }),
    assignText: assign({
      texts: ({ context }, output: string) => answered(context, ({ text }) => ({ text, status: "done", translation: output })),
    }),
    assignFailed: assign({ texts: ({ context }) => answered(context, (text) => ({ ...text, status: "failed" })) }),
    retryFailed: assign({
      texts: ({ context }) =>
        context.texts.map((each): LiveText => (each.status === "failed" ? { ...each, status: "pending" } : each)),
    }),
  },
  guards: {
    hasPending: ({ context }) => nextPending(context.texts) >= 0,
    hasPhrase: ({ context: { interim, phrases } }) => nextPhrase(interim, phrases) !== null,
    isUnsure: ({ context: { interim } }) => interim.stable !== interim.text,
    /** The text in translation is no longer there. */
    isReplaced: ({ context: { texts, at } }, { texts: now }: { texts: readonly Pick<LiveText, "text">[] }) =>
      now[at]?.text !== texts[at]?.text,
    /** A text was added or removed: the current utterance is a new one. */
    isOver: ({ context }, { texts }: { texts: readonly Pick<LiveText, "text">[] }) => texts.length !== context.texts.length,
    /** The phrase in translation turned out to be wrong. */
    isRevised: ({ context: { asked } }, { text }: { text: string }) => !text.startsWith(asked?.upTo ?? ""),
  },
  delays: {
    interval: ({ context }) => Math.min(phraseIntervalMs * 2 ** context.failures, maxIntervalMs),
    still: stillMs,
  },
}).createMachine({
  id: "liveTranslation",
  context: { texts: [], interim: noInterim, phrases: [], at: -1, asked: null, draft: "", failures: 0 },
  initial: "resting",
  on: {
    "texts.changed": { target: ".deciding", actions: withEvent("mergeTexts") },
    "interim.recognized": { target: ".deciding", actions: withEvent("followInterim") },
    "retry.requested": { target: ".deciding", actions: "retryFailed" },
  },
  states: {
    deciding: {
      always: [
        { guard: "hasPending", target: "translatingText" },
        { guard: "hasPhrase", target: "translatingPhrase" },
        { target: "resting" },
      ],
    },
    /** Nothing to translate yet. */
    resting: { after: { still: { guard: "isUnsure", target: "deciding", actions: "believe" } } },
    translatingText: {
      entry: "chooseText",
      invoke: {
        src: "translate",
        input: ({ context: { texts, at } }) => ({ text: texts[at]?.text ?? "" }),
        onDone: { target: "deciding", actions: withOutput("assignText") },
        onError: { target: "deciding", actions: "assignFailed" },
      },
      on: {
        "texts.changed": [
          { guard: withEvent("isReplaced"), target: "deciding", actions: withEvent("mergeTexts") },
          { actions: withEvent("mergeTexts") },
        ],
        "interim.recognized": { actions: withEvent("followInterim") },
        "retry.requested": { actions: "retryFailed" },
      },
    },
    translatingPhrase: {
      entry: "askPhrase",
      invoke: {
        src: "translate",
        input: ({ context }) => ({ text: present(context.asked, "The phrase").source }),
        onDone: { target: "pausing", actions: withOutput("assignPhrase") },
        onError: { target: "pausing", actions: "countFailure" },
      },
      on: {
        // A final text goes before it.
        "texts.changed": [
          { guard: withEvent("isOver"), target: "deciding", actions: withEvent("mergeTexts") },
          { actions: withEvent("mergeTexts") },
        ],
        "interim.recognized": [
          { guard: withEvent("isRevised"), target: "pausing", actions: withEvent("followInterim") },
          { actions: withEvent("followInterim") },
        ],
      },
    },
    /** Phrases are translated at intervals; texts at once. */
    pausing: {
      after: { interval: "deciding" },
      on: {
        "texts.changed": [
          { guard: withEvent("isOver"), target: "deciding", actions: withEvent("mergeTexts") },
          { actions: withEvent("mergeTexts") },
        ],
        "interim.recognized": { actions: withEvent("followInterim") },
      },
    },
  },
});

export type LiveTranslationActor = ActorRefFrom<typeof liveTranslationMachine>;
type Snapshot = SnapshotFrom<typeof liveTranslationMachine>;

export const selectTexts = (snapshot: Snapshot): readonly LiveText[] => snapshot.context.texts;
/** The translation so far of the current utterance; "" for none. */
export const selectDraft = (snapshot: Snapshot): string => snapshot.context.draft;
/** Whether no text waits for its translation, though some may have failed. */
export const selectIsSettled = (snapshot: Snapshot): boolean => nextPending(snapshot.context.texts) < 0;
