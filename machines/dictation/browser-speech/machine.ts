import { type ActorRefFrom, assign, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { SpeechLanguage } from "#contract/index.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** A language that the browser's own recogniser transcribes. */
export interface BrowserLanguage {
  code: SpeechLanguage;
  /** device: no audio leaves this device; vendor: the audio may go to the browser's vendor, as far as is known. */
  place: "device" | "vendor";
  /** The browser can fetch what it needs to recognize it on this device. */
  isInstallable: boolean;
}

export type BrowserSpeechEvent =
  /** The person consents to sending audio to the browser's vendor, or withdraws the consent; here or in another tab. */
  | { type: "consent.given" }
  | { type: "consent.withdrawn" }
  /** Sent by the actor `consent`. */
  | { type: "consent.changed"; isGiven: boolean }
  /** The person wants this language recognized on this device. */
  | { type: "install.requested"; code: SpeechLanguage };

interface BrowserSpeechContext {
  languages: readonly BrowserLanguage[];
  hasConsent: boolean;
  /** Being installed. */
  installing: SpeechLanguage | null;
  hasInstallFailed: boolean;
}

/**
 * The other languages that the browser's own recognizer supports, where it runs, and whether the person has consented.
 * Without consent, it gets no audio.
 */
export const browserSpeechMachine = setup({
  types: { context: {} as BrowserSpeechContext, events: {} as BrowserSpeechEvent },
  actors: {
    /** Asks the browser; [] where it has no recogniser. */
    findLanguages: fromPromise<readonly BrowserLanguage[]>(async () => notProvided("findLanguages")),
    /** Rejects when the browser could not. */
    install: fromPromise<void, { code: SpeechLanguage | null }>(async () => notProvided("install")),
    /** Says at once, and with every change, whether this browser's person has agreed. */
    consent: fromCallback<BrowserSpeechEvent>(() => notProvided("consent")),
  },
  actions: {
    storeConsent: () => notProvided("storeConsent"),
    clearConsent: () => notProvided("clearConsent"),
    rememberConsent: assign({ hasConsent: (_, { isGiven }: { isGiven: boolean }) => isGiven }),
    rememberLanguages: assign({
      languages: (_, languages: readonly BrowserLanguage[]) => languages,
      installing: null,
    }),
    beginInstalling: assign({ installing: (_, { code }: { code: SpeechLanguage }) => code, hasInstallFailed: false }),
    rememberFailure: assign({ hasInstallFailed: true, installing: null }),
  },
}).createMachine({
  id: "browserSpeech",
  context: { languages: [], hasConsent: false, installing: null, hasInstallFailed: false },
  invoke: { src: "consent" },
  on: {
    "consent.given": { actions: "storeConsent" },
    "consent.withdrawn": { actions: "clearConsent" },
    "consent.changed": { actions: withEvent("rememberConsent") },
  },
  initial: "finding",
  states: {
    finding: {
      invoke: { src: "findLanguages", onDone: { target: "known", actions: withOutput("rememberLanguages") }, onError: "known" },
    },
    known: {
      on: {
        "install.requested": { target: "installing", actions: withEvent("beginInstalling") },
      },
    },
    installing: {
      invoke: {
        src: "install",
        input: ({ context }) => ({ code: context.installing }),
        onDone: "finding",
        onError: { target: "known", actions: "rememberFailure" },
      },
    },
  },
});

export type BrowserSpeechActor = ActorRefFrom<typeof browserSpeechMachine>;
type Snapshot = SnapshotFrom<typeof browserSpeechMachine>;

/** The same array until it changes. */
export const selectBrowserLanguages = (snapshot: Snapshot): readonly BrowserLanguage[] => snapshot.context.languages;
/** The browser has not answered yet. */
export const selectIsFinding = (snapshot: Snapshot): boolean => snapshot.matches("finding");
export const selectHasConsent = (snapshot: Snapshot): boolean => snapshot.context.hasConsent;
/** The language that is being installed on this device; null: none. */
export const selectInstalling = (snapshot: Snapshot): SpeechLanguage | null =>
  snapshot.matches("installing") ? snapshot.context.installing : null;
export const selectHasInstallFailed = (snapshot: Snapshot): boolean => snapshot.context.hasInstallFailed;
