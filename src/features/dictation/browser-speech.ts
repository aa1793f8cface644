import { createActor, fromCallback, fromPromise } from "xstate";
import type { EnginesAnswer, SpeechLanguage } from "#contract/index.ts";
import {
  type BrowserLanguage,
  type BrowserSpeechActor,
  browserSpeechMachine,
  selectBrowserLanguages,
} from "#machines/dictation/browser-speech/machine.ts";
import { browserRecognizer, recognizerTag, whereRecognized } from "#src/audio/browser-recognizer.ts";
import { inspected } from "#src/browser/inspection.ts";
import { storage } from "#src/browser/storage.ts";

/** Whether the user has agreed, in this browser, that its vendor may receive the speech. */
const consentKey = "browserSpeechConsent";
const hasConsent = (): boolean => storage.read(consentKey) === "given";
export const onConsentChange = (listener: () => void): (() => void) => storage.subscribe(consentKey, listener);

let opened: BrowserSpeechActor | undefined;

/** The browser's recognizer for languages that the server does not support. Each visit of the page queries it again. */
export function openBrowserSpeech(engines: EnginesAnswer): BrowserSpeechActor {
  opened?.stop();
  const missing = engines.speech.languages.filter(({ available, code }) => !available && code !== "auto").map(({ code }) => code);
  opened = createActor(provide(missing), inspected()).start();
  return opened;
}

function languageOf(code: SpeechLanguage): BrowserLanguage | undefined {
  return opened && selectBrowserLanguages(opened.getSnapshot()).find((language) => language.code === code);
}

export const isRecognizedOnDevice = (code: SpeechLanguage): boolean => languageOf(code)?.place === "device";

/** Whether the language may be recognized: on the device, or with the user's consent. */
export const mayListen = (code: SpeechLanguage): boolean => isRecognizedOnDevice(code) || hasConsent();

function provide(missing: readonly SpeechLanguage[]) {
  return browserSpeechMachine.provide({
    actors: {
      findLanguages: fromPromise<readonly BrowserLanguage[]>(async () => {
        const Recognizer = browserRecognizer();
        if (Recognizer === undefined) return [];
        const found = await Promise.all(
          missing.map(async (code) => ({ code, recognition: await whereRecognized(Recognizer, recognizerTag(code)) })),
        );
        return found.flatMap(({ code, recognition }) => (recognition === undefined ? [] : [{ code, ...recognition }]));
      }),
      install: fromPromise(async ({ input: { code } }) => {
        const langs = code === null ? [] : [recognizerTag(code)];
        if (!(await browserRecognizer()?.install?.({ langs, processLocally: true }))) throw new Error("It was not installed.");
      }),
      consent: fromCallback(({ sendBack }) => {
        const report = () => sendBack({ type: "consent.changed", isGiven: hasConsent() });
        report();
        return onConsentChange(report);
      }),
    },
    actions: {
      storeConsent: () => void storage.write(consentKey, "given"),
      clearConsent: () => storage.remove(consentKey),
    },
  });
}
