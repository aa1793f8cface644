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
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const german: BrowserLanguage = { code: "de-DE", place: "vendor", isInstallable: true };

function prepare(stage: Stage) {
  const findLanguages = stage.asking<readonly BrowserLanguage[]>();
  const install = stage.asking<void, { code: BrowserLanguage["code"] | null }>();
  const consent = stage.callback<BrowserSpeechEvent>();
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
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();

walkTests<Rig>({
  machine: browserSpeechMachine,
  prepare,
  moves: [
    answered(
      "the browser says what it hears",
      ({ findLanguages }: Rig) => findLanguages,
      () => [german],
    ),
    refused("the browser does not say what it hears", ({ findLanguages }: Rig) => findLanguages, failure("internal")),
    answered(
      "it is installed",
      ({ install }: Rig) => install,
      () => undefined,
    ),
    outage(refused("it is not installed", ({ install }: Rig) => install, failure("internal"))),
    sent({ type: "consent.given" }),
    sent({ type: "consent.withdrawn" }),
    sent({ type: "install.requested", code: "de-DE" }),
    said({ type: "consent.changed", isGiven: true }, ({ consent }: Rig) => consent, "another tab agrees"),
    said({ type: "consent.changed", isGiven: false }, ({ consent }: Rig) => consent, "another tab withdraws it"),
  ],
  situation: (rig) => {
    const { hasConsent, hasInstallFailed, languages } = snapshot(rig).context;
    return [hasConsent, hasInstallFailed, languages.length, rig.stored.consent];
  },
  rules: {
    "one thing is installed at a time, the one that is wanted": (rig) =>
      rig.install.open().length === (selectInstalling(snapshot(rig)) === null ? 0 : 1) &&
      rig.install.open().every(({ input }) => input?.code === "de-DE"),
    "a failure is said only while nothing is installed": (rig) =>
      !selectHasInstallFailed(snapshot(rig)) || rig.install.open().length === 0,
    "nothing is offered that the browser has not named": (rig) =>
      selectBrowserLanguages(snapshot(rig)).every((language) => language === german),
  },
});
