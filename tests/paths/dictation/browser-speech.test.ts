import { createActor } from "xstate";
import {
  type BrowserLanguage,
  type BrowserSpeechEvent,
  browserSpeechMachine,
  selectBrowserLanguages,
  selectHasInstallFailed,
  selectInstalling,
} from "#machines/dictation/browser-speech/machine.ts";
import { answered, failure, outage, refused, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const german: BrowserLanguage = { code: "de-DE", place: "vendor", isInstallable: true };

function prepare(stubs: Stubs) {
  const findLanguages = stubs.asking<readonly BrowserLanguage[]>();
  const install = stubs.asking<void, { code: BrowserLanguage["code"] | null }>();
  const consent = stubs.callback<BrowserSpeechEvent>();
  const stored = { consent: false };
  const machine = browserSpeechMachine.provide({
    actors: { findLanguages: findLanguages.logic, install: install.logic, consent: consent.logic },
    actions: {
      storeConsent: () => {
        stored.consent = true;
      },
      clearConsent: () => {
        stored.consent = false;
      },
    },
  });
  return ({ clock, inspect }: RunOptions) => {
    stored.consent = false;
    return { actor: createActor(machine, { clock, inspect }), findLanguages, install, consent, stored };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();

walkTests<Harness>({
  machine: browserSpeechMachine,
  prepare,
  moves: [
    answered(
      "the browser says what it hears",
      ({ findLanguages }: Harness) => findLanguages,
      () => [german],
    ),
    refused("the browser does not say what it hears", ({ findLanguages }: Harness) => findLanguages, failure("internal")),
    answered(
      "it is installed",
      ({ install }: Harness) => install,
      () => undefined,
    ),
    outage(refused("it is not installed", ({ install }: Harness) => install, failure("internal"))),
    sent({ type: "consent.given" }),
    sent({ type: "consent.withdrawn" }),
    sent({ type: "install.requested", code: "de-DE" }),
    said({ type: "consent.changed", isGiven: true }, ({ consent }: Harness) => consent, "another tab agrees"),
    said({ type: "consent.changed", isGiven: false }, ({ consent }: Harness) => consent, "another tab withdraws it"),
  ],
  situation: (harness) => {
    const { hasConsent, hasInstallFailed, languages } = snapshot(harness).context;
    return [hasConsent, hasInstallFailed, languages.length, harness.stored.consent];
  },
  rules: {
    "one thing is installed at a time, the one that is wanted": (harness) =>
      harness.install.open().length === (selectInstalling(snapshot(harness)) === null ? 0 : 1) &&
      harness.install.open().every(({ input }) => input?.code === "de-DE"),
    "a failure is said only while nothing is installed": (harness) =>
      !selectHasInstallFailed(snapshot(harness)) || harness.install.open().length === 0,
    "nothing is offered that the browser has not named": (harness) =>
      selectBrowserLanguages(snapshot(harness)).every((language) => language === german),
  },
});
