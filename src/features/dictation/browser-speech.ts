import { createActor, fromCallback, fromPromise } from "xstate";
import type { EnginesAnswer, SpeechLanguage } from "#contract/index.ts";
import {
  type BrowserLanguage,
  type BrowserSpeechActor,
  type BrowserSpeechEvent,
  browserSpeechMachine,
  selectBrowserLanguages,
} from "#machines/dictation/browser-speech/machine.ts";
import { type BrowserRecognizerClass, browserRecognizer, recognizerTag } from "#src/audio/browser-recognizer.ts";
import { inspected } from "#src/browser/inspection.ts";
import { storage } from "#src/browser/storage.ts";

/** Whether somebody has agreed, in this browser, that its vendor may get what is said. */
const consentKey = "browserSpeechConsent";
const hasConsent = (): boolean => storage.read(consentKey) === "given";
export const onConsentChange = (listener: () => void): (() => void) => storage.subscribe(consentKey, listener);

let opened: BrowserSpeechActor | undefined;

/** What the browser hears of the languages that the server does not; asked anew with every visit of the page. */
export function openBrowserSpeech(engines: EnginesAnswer): BrowserSpeechActor {
  opened?.stop();
  const missing = engines.speech.languages.filter(({ available, code }) => !available && code !== "auto").map(({ code }) => code);
  opened = createActor(provide(missing), inspected()).start();
  return opened;
}

function languageOf(code: SpeechLanguage): BrowserLanguage | undefined {
  return opened && selectBrowserLanguages(opened.getSnapshot()).find((language) => language.code === code);
}

export const isHeardOnDevice = (code: SpeechLanguage): boolean => languageOf(code)?.place === "device";

/** Nothing leaves the device, or the person has agreed that it may. */
export const mayListen = (code: SpeechLanguage): boolean => isHeardOnDevice(code) || hasConsent();

function provide(missing: readonly SpeechLanguage[]) {
  return browserSpeechMachine.provide({
    actors: {
      findLanguages: fromPromise<readonly BrowserLanguage[]>(async () => {
        const Recognizer = browserRecognizer();
        if (Recognizer === undefined) return [];
        const found = await Promise.all(missing.map((code) => describe(Recognizer, code)));
        return found.filter((language) => language !== undefined);
      }),
      install: fromPromise<void, { code: SpeechLanguage | null }>(async ({ input: { code } }) => {
        const langs = code === null ? [] : [recognizerTag(code)];
        if (!(await browserRecognizer()?.install?.({ langs, processLocally: true }))) throw new Error("It was not installed.");
      }),
      consent: fromCallback<BrowserSpeechEvent>(({ sendBack }) => {
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

/** Older browsers can't be asked: they are believed to hear it, by their vendor's service. */
async function describe(Recognizer: BrowserRecognizerClass, code: SpeechLanguage): Promise<BrowserLanguage | undefined> {
  const ask = async (processLocally: boolean) =>
    Recognizer.available?.({ langs: [recognizerTag(code)], processLocally }).catch(() => "unavailable");
  const local = await ask(true);
  if (local === "available") return { code, place: "device", isInstallable: false };
  const isInstallable = local === "downloadable" && Recognizer.install !== undefined;
  const anywhere = await ask(false);
  if (anywhere === "unavailable" && !isInstallable) return undefined;
  return { code, place: "vendor", isInstallable };
}
