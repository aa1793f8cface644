import { expect, test } from "vitest";
import { createActor } from "xstate";
import type { SpeechLanguage } from "#contract/index.ts";
import {
  type BrowserLanguage,
  type BrowserSpeechEvent,
  browserSpeechMachine,
  selectBrowserLanguages,
  selectHasConsent,
  selectHasInstallFailed,
  selectInstalling,
  selectIsFinding,
} from "#machines/dictation/browser-speech/machine.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

const german: BrowserLanguage = { code: "de-DE", place: "vendor", isInstallable: true };
const here: BrowserLanguage = { ...german, place: "device", isInstallable: false };

function setUp() {
  const findLanguages = answering<readonly BrowserLanguage[]>();
  const install = answering<void, { code: SpeechLanguage | null }>();
  const consent = talking<BrowserSpeechEvent, BrowserSpeechEvent>();
  const done: string[] = [];
  const machine = browserSpeechMachine.provide({
    actors: { findLanguages: findLanguages.logic, install: install.logic, consent: consent.logic },
    actions: { storeConsent: () => done.push("store"), clearConsent: () => done.push("clear") },
  });
  const actor = stopsAfterTest(createActor(machine)).start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  return { findLanguages, install, consent, done, get, send: actor.send.bind(actor) };
}

test("finds the browser's languages at once, and finds none if the browser can't tell", async () => {
  const { findLanguages, get } = setUp();
  expect([get(selectIsFinding), get(selectBrowserLanguages), get(selectHasConsent)]).toEqual([true, [], false]);
  await findLanguages.last().resolve([german]);
  expect([get(selectIsFinding), get(selectBrowserLanguages)]).toEqual([false, [german]]);
  const other = setUp();
  await other.findLanguages.last().reject("unsupported");
  expect([other.get(selectIsFinding), other.get(selectBrowserLanguages)]).toEqual([false, []]);
});

test("counts the consent once it is stored, also from another tab", () => {
  const { consent, done, get, send } = setUp();
  send({ type: "consent.given" });
  expect([done, get(selectHasConsent)]).toEqual([["store"], false]);
  consent.say({ type: "consent.changed", isGiven: true });
  expect(get(selectHasConsent)).toBe(true);
  send({ type: "consent.withdrawn" });
  consent.say({ type: "consent.changed", isGiven: false });
  expect([done, get(selectHasConsent)]).toEqual([["store", "clear"], false]);
});

test("installs one language at a time, looks for languages again, and shows a failure until the next try", async () => {
  const { findLanguages, install, get, send } = setUp();
  await findLanguages.last().resolve([german]);
  expect(get(selectInstalling)).toBeNull();
  send({ type: "install.requested", code: "de-DE" });
  send({ type: "install.requested", code: "en" });
  expect([install.inputs(), get(selectInstalling)]).toEqual([[{ code: "de-DE" }], "de-DE"]);
  await install.last().reject("network");
  expect([get(selectInstalling), get(selectHasInstallFailed), get(selectBrowserLanguages)]).toEqual([null, true, [german]]);
  send({ type: "install.requested", code: "de-DE" });
  expect([get(selectInstalling), get(selectHasInstallFailed)]).toEqual(["de-DE", false]);
  await install.last().resolve();
  expect([get(selectIsFinding), get(selectInstalling), findLanguages.asked.length]).toEqual([true, null, 2]);
  await findLanguages.last().resolve([here]);
  expect([get(selectBrowserLanguages), get(selectHasInstallFailed)]).toEqual([[here], false]);
});
