import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import {
  selectIsReplacementAsked,
  selectTranslatedInto,
  selectTranslationPhase,
  selectWhyNoTranslation,
  type TranslationOrder,
  type VaultTranslationEvent,
  vaultTranslationMachine,
} from "#machines/vault/translation.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

interface Input {
  order: TranslationOrder;
}

const order: TranslationOrder = { source: "en", target: "de", replaces: false };

function setUp() {
  const calls = { translate: answering<void, Input>(), store: answering<void, Input>() };
  const [model, hold] = [talking<VaultTranslationEvent, VaultTranslationEvent, Input>(), talking()];
  const done: unknown[] = [];
  const machine = vaultTranslationMachine.provide({
    actors: { model: model.logic, holdPage: hold.logic, translate: calls.translate.logic, store: calls.store.logic },
    actions: { release: () => done.push("release") },
  });
  const actor = stopsAfterTest(createActor(machine));
  actor.on("*", ({ type }) => done.push(type));
  actor.start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  return { ...calls, model, hold, done, get, phase: () => get(selectTranslationPhase), send: actor.send.bind(actor) };
}

/** The passages are being translated. */
function translating() {
  const translation = setUp();
  translation.send({ type: "translation.requested", order });
  translation.model.say({ type: "model.arrived" });
  return translation;
}

describe("translation of a text in the vault", () => {
  test("the translation of a text in the vault is made once the model is on this device, and stored", async () => {
    const translation = setUp();
    translation.send({ type: "translation.requested", order });
    expect([translation.phase(), translation.get(selectTranslatedInto)]).toEqual(["model", "de"]);
    translation.model.say({ type: "model.arrived" });
    expect([translation.phase(), translation.translate.inputs()]).toEqual(["translating", [{ order }]]);
    await translation.translate.last().resolve();
    expect([translation.phase(), translation.store.inputs(), translation.done]).toEqual(["storing", [{ order }], []]);
    await translation.store.last().resolve();
    expect([translation.phase(), translation.done]).toEqual([null, ["release", "translation.stored"]]);
  });

  test("replaces another translation in the vault only after confirmation", () => {
    const translation = setUp();
    const ask = () => translation.send({ type: "translation.requested", order: { ...order, replaces: true } });
    ask();
    expect([translation.get(selectIsReplacementAsked), translation.phase()]).toEqual([true, null]);
    translation.send({ type: "replacement.cancelled" });
    expect([translation.get(selectIsReplacementAsked), translation.get(selectTranslatedInto)]).toEqual([false, null]);
    ask();
    translation.send({ type: "replacement.confirmed" });
    expect([translation.get(selectIsReplacementAsked), translation.phase()]).toEqual([false, "model"]);
  });

  test.each(["cancel.requested", "vault.locked"] as const)(
    "the translation of a text in the vault can be canceled at %s, leaving nothing translated",
    (type) => {
      const translation = translating();
      translation.send({ type });
      expect([translation.phase(), translation.translate.last().signal.aborted]).toEqual([null, true]);
      expect([translation.done, translation.hold.isRunning()]).toEqual([["release"], false]);
    },
  );

  test.each(["translate", "store"] as const)("shows why %s failed, and keeps the translated part", async (step) => {
    const translation = translating();
    if (step === "store") await translation.translate.last().resolve();
    await translation[step].last().reject("device.workerLost");
    expect([translation.phase(), translation.get(selectWhyNoTranslation)]).toEqual([null, "device.workerLost"]);
    expect(translation.done).toEqual([]);
    translation.send({ type: "translation.requested", order });
    expect(translation.get(selectWhyNoTranslation)).toBeNull();
  });
});
