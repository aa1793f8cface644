import { createActor, type EventObject } from "xstate";
import type { VaultItem } from "#contract/index.ts";
import { selectTextPhase, type VaultTextEvent, vaultTextMachine } from "#machines/vault/text.ts";
import { sealedItem } from "#tests/machines/vault/harness.ts";
import { answered, failure, refused, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

interface Input {
  id: string;
}

function prepare(stubs: Stubs) {
  const [model, hold] = [stubs.callback<VaultTextEvent>(), stubs.callback<VaultTextEvent, EventObject>()];
  const calls = {
    fetchSound: stubs.asking<void, Input>(),
    recognize: stubs.asking<void, Input>(),
    store: stubs.asking<VaultItem, Input>(),
  };
  const { fetchSound, recognize, store } = calls;
  return ({ clock, inspect }: RunOptions) => {
    /** Sound or words are here. */
    let decrypted = false;
    const machine = vaultTextMachine.provide({
      actors: {
        model: model.logic,
        holdPage: hold.logic,
        fetchSound: fetchSound.logic,
        recognize: recognize.logic,
        store: store.logic,
      },
      actions: {
        release: () => {
          decrypted = false;
        },
      },
    });
    const actor = createActor(machine, { clock, inspect });
    const stored: string[] = [];
    actor.on("text.stored", ({ item }) => stored.push(item.id));
    const decrypt = () => {
      decrypted = true;
      return undefined;
    };
    return { actor, ...calls, model, hold, stored, decrypt, isDecrypted: () => decrypted };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;

walkTests<Harness>({
  machine: vaultTextMachine,
  prepare,
  moves: [
    ...["a", "b"].flatMap((id) => [
      sent<VaultTextEvent>({ type: "text.requested", id }, `the text of ${id} is wanted`),
      sent<VaultTextEvent>({ type: "cancel.requested", id }, `the text of ${id} is not wanted any more`),
    ]),
    sent({ type: "again.requested", id: "a" }),
    sent({ type: "again.confirmed" }),
    sent({ type: "again.cancelled" }),
    sent({ type: "vault.locked" }),
    said({ type: "model.arrived" }, ({ model }: Harness) => model),
    answered(
      "the sound is here",
      ({ fetchSound }: Harness) => fetchSound,
      (harness) => harness.decrypt(),
    ),
    refused("the sound can't be fetched", ({ fetchSound }: Harness) => fetchSound, failure("network")),
    answered(
      "its words are known",
      ({ recognize }: Harness) => recognize,
      () => undefined,
    ),
    refused("it can't be decoded", ({ recognize }: Harness) => recognize, failure("device.cantDecode")),
    answered(
      "the text is stored",
      ({ store }: Harness) => store,
      (_, input) => sealedItem(input?.id ?? ""),
    ),
    refused("the text can't be stored", ({ store }: Harness) => store, failure("network")),
  ],
  situation: (harness) => {
    const { ids, failures, asked } = context(harness);
    return [ids, Object.keys(failures).sort(), asked, harness.isDecrypted(), harness.stored.at(-1)];
  },
  rules: {
    "one text is made at a time": ({ fetchSound, recognize, store, model }) =>
      fetchSound.open().length + recognize.open().length + store.open().length + model.running() <= 1,
    "what was decrypted is here only while a text is made": (harness) =>
      !harness.isDecrypted() || harness.recognize.open().length + harness.store.open().length === 1,
    "the page is held exactly while words are here, or come": ({ hold, recognize, store }) =>
      hold.running() === recognize.open().length + store.open().length,
    "who waits gets a turn": (harness) =>
      context(harness).ids.every((id, index) => (selectTextPhase(harness.actor.getSnapshot(), id) === "waiting") === index > 0),
    "a text that is being made has not failed": (harness) =>
      context(harness).ids.every((id) => context(harness).failures[id] === undefined),
  },
});
