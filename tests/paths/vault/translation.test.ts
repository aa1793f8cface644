import { createActor, type EventObject } from "xstate";
import {
  selectTranslationPhase,
  selectWhyNoTranslation,
  type TranslationOrder,
  type VaultTranslationEvent,
  vaultTranslationMachine,
} from "#machines/vault/translation.ts";
import { answered, failure, refused, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

interface Input {
  order: TranslationOrder;
}

function prepare(stubs: Stubs) {
  const model = stubs.callback<VaultTranslationEvent, VaultTranslationEvent, Input>();
  const hold = stubs.callback<VaultTranslationEvent, EventObject>();
  const translate = stubs.asking<void, Input>();
  const store = stubs.asking<void, Input>();
  return ({ clock, inspect }: RunOptions) => {
    /** Translations are here. */
    let decrypted = false;
    let stored = 0;
    const machine = vaultTranslationMachine.provide({
      actors: { model: model.logic, holdPage: hold.logic, translate: translate.logic, store: store.logic },
      actions: {
        release: () => {
          decrypted = false;
        },
      },
    });
    const actor = createActor(machine, { clock, inspect });
    actor.on("translation.stored", () => {
      stored = 1;
    });
    const decrypt = () => {
      decrypted = true;
    };
    return { actor, model, hold, translate, store, decrypt, isDecrypted: () => decrypted, stored: () => stored };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const ask = (replaces: boolean): VaultTranslationEvent => ({
  type: "translation.requested",
  order: { source: "en", target: "de", replaces },
});

walkTests<Harness>({
  machine: vaultTranslationMachine,
  prepare,
  moves: [
    sent(ask(false), "what is missing is translated"),
    sent(ask(true), "all of it is translated anew"),
    sent({ type: "replacement.confirmed" }),
    sent({ type: "replacement.cancelled" }),
    sent({ type: "cancel.requested" }),
    sent({ type: "vault.locked" }),
    said({ type: "model.arrived" }, ({ model }: Harness) => model),
    answered(
      "it is translated",
      ({ translate }: Harness) => translate,
      (harness) => harness.decrypt(),
    ),
    refused("it can't be translated", ({ translate }: Harness) => translate, failure("device.workerLost")),
    refused("the text can't be read", ({ translate }: Harness) => translate, failure("network")),
    answered(
      "it is stored",
      ({ store }: Harness) => store,
      () => undefined,
    ),
    refused("it can't be stored", ({ store }: Harness) => store, failure("network")),
  ],
  situation: (harness) => {
    const { order, failure: why } = snapshot(harness).context;
    return [order.replaces, why, harness.isDecrypted(), harness.stored()];
  },
  rules: {
    "one thing at a time": ({ translate, store, model }) => translate.open().length + store.open().length + model.running() <= 1,
    "the page is held exactly while it is translated or stored": ({ hold, translate, store }) =>
      hold.running() === translate.open().length + store.open().length,
    "translations stay only for an attempt, or for the next one after a failure": (harness) =>
      !harness.isDecrypted() ||
      selectTranslationPhase(snapshot(harness)) !== null ||
      selectWhyNoTranslation(snapshot(harness)) !== null,
    "what is being made has not failed": (harness) =>
      selectTranslationPhase(snapshot(harness)) === null || selectWhyNoTranslation(snapshot(harness)) === null,
  },
});
