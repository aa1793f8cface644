import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { VaultItem } from "#contract/index.ts";
import {
  selectIsAskedAgain,
  selectTextPhase,
  selectWhyNoText,
  type VaultTextEvent,
  vaultTextMachine,
} from "#machines/vault/text.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";
import { sealedItem } from "./harness.ts";

interface Input {
  id: string;
}

function setUp() {
  const calls = {
    fetchSound: answering<void, Input>(),
    recognize: answering<void, Input>(),
    store: answering<VaultItem, Input>(),
  };
  const { fetchSound, recognize, store } = calls;
  const [model, hold] = [talking<VaultTextEvent, VaultTextEvent>(), talking()];
  const done: unknown[] = [];
  const machine = vaultTextMachine.provide({
    actors: {
      model: model.logic,
      holdPage: hold.logic,
      fetchSound: fetchSound.logic,
      recognize: recognize.logic,
      store: store.logic,
    },
    actions: { release: () => done.push("release") },
  });
  const actor = stopsAfterTest(createActor(machine));
  actor.on("*", (event) => done.push(event));
  actor.start();
  const phase = (id = "a") => selectTextPhase(actor.getSnapshot(), id);
  const failure = (id = "a") => selectWhyNoText(actor.getSnapshot(), id);
  const isAsked = (id = "a") => selectIsAskedAgain(actor.getSnapshot(), id);
  return { ...calls, model, done, phase, failure, isAsked, send: actor.send.bind(actor) };
}

/** The audio of `a` is being recognized. */
async function recognizing() {
  const texts = setUp();
  texts.send({ type: "text.requested", id: "a" });
  texts.model.say({ type: "model.arrived" });
  await texts.fetchSound.last().resolve();
  return texts;
}

describe("transcription of a vault item", () => {
  test("downloads and recognizes the audio once the model is here, and stores the text", async () => {
    const texts = setUp();
    expect(texts.phase()).toBeNull();
    texts.send({ type: "text.requested", id: "a" });
    expect([texts.phase(), texts.model.running()]).toEqual(["model", 1]);
    texts.model.say({ type: "model.arrived" });
    expect([texts.phase(), texts.fetchSound.inputs()]).toEqual(["fetching", [{ id: "a" }]]);
    await texts.fetchSound.last().resolve();
    expect([texts.phase(), texts.recognize.inputs()]).toEqual(["recognizing", [{ id: "a" }]]);
    await texts.recognize.last().resolve();
    expect([texts.phase(), texts.store.inputs(), texts.done]).toEqual(["storing", [{ id: "a" }], []]);
    await texts.store.last().resolve(sealedItem("a", { hasText: true }));
    const stored = { type: "text.stored", item: sealedItem("a", { hasText: true }) };
    expect([texts.phase(), texts.done]).toEqual([null, ["release", stored]]);
  });

  test("the transcription of a vault item is canceled by the person, even while it waits", async () => {
    const texts = await recognizing();
    texts.send({ type: "text.requested", id: "b" });
    texts.send({ type: "cancel.requested", id: "b" });
    expect([texts.phase("a"), texts.phase("b"), texts.done]).toEqual(["recognizing", null, []]);
    texts.send({ type: "cancel.requested", id: "a" });
    expect([texts.phase(), texts.recognize.last().signal.aborted, texts.done]).toEqual([null, true, ["release"]]);
  });

  test("the transcription of a vault item is canceled with all waiting ones when the vault is locked", async () => {
    const texts = await recognizing();
    texts.send({ type: "text.requested", id: "b" });
    texts.send({ type: "again.requested", id: "c" });
    texts.send({ type: "vault.locked" });
    expect([texts.phase("a"), texts.phase("b"), texts.isAsked("c"), texts.done]).toEqual([null, null, false, ["release"]]);
    expect(texts.recognize.last().signal.aborted).toBe(true);
  });

  test.each(["fetchSound", "recognize", "store"] as const)(
    "the text of a vault recording shows why %s failed until the next attempt",
    async (step) => {
      const texts = setUp();
      texts.send({ type: "text.requested", id: "a" });
      texts.model.say({ type: "model.arrived" });
      if (step !== "fetchSound") await texts.fetchSound.last().resolve();
      if (step === "store") await texts.recognize.last().resolve();
      await texts[step].last().reject("device.cantDecode");
      expect([texts.phase(), texts.failure(), texts.failure("b"), texts.done]).toEqual([
        null,
        "device.cantDecode",
        null,
        ["release"],
      ]);
      texts.send({ type: "text.requested", id: "a" });
      expect([texts.phase(), texts.failure()]).toEqual(["model", null]);
    },
  );
});
