import { createActor } from "xstate";
import type { VaultItem } from "#contract/index.ts";
import { selectIsFetching, selectItemIsOpen, vaultItemMachine } from "#machines/vault/item.ts";
import { sealedItem } from "#tests/machines/vault/harness.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

interface Input {
  id: string;
}

function prepare(stubs: Stubs) {
  const calls = {
    open: stubs.asking<void, Input>(),
    download: stubs.asking<void, Input>(),
    rename: stubs.asking<VaultItem, Input>(),
    remove: stubs.asking<void, Input>(),
  };
  return ({ clock, inspect }: RunOptions) => {
    /** Decrypted data exists. */
    let decrypted = false;
    const handed: boolean[] = [];
    const machine = vaultItemMachine.provide({
      actors: {
        open: calls.open.logic,
        download: calls.download.logic,
        rename: calls.rename.logic,
        remove: calls.remove.logic,
      },
      actions: {
        handOver: () => handed.push(decrypted),
        release: () => {
          decrypted = false;
        },
      },
    });
    const actor = createActor(machine, { clock, inspect, input: { id: "i1" } });
    const emitted: string[] = [];
    actor.on("item.removed", ({ type }) => emitted.push(type));
    actor.on("item.renamed", ({ type }) => emitted.push(type));
    const arrive = () => {
      decrypted = true;
      return undefined;
    };
    return { actor, ...calls, handed, emitted, arrive, isDecrypted: () => decrypted };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const value = ({ actor }: Harness) => actor.getSnapshot().value;

walkTests<Harness>({
  machine: vaultItemMachine,
  prepare,
  moves: [
    sent({ type: "play.requested" }),
    sent({ type: "save.requested" }),
    sent({ type: "download.requested" }),
    sent({ type: "cancel.requested" }),
    sent({ type: "close.requested" }),
    sent({ type: "rename.requested" }),
    sent({ type: "remove.requested" }),
    sent({ type: "remove.confirmed" }),
    answered(
      "it is decrypted",
      ({ open }: Harness) => open,
      (harness) => harness.arrive(),
    ),
    refused("it was tampered with", ({ open }: Harness) => open, failure("tampered")),
    answered(
      "it is here as it is",
      ({ download }: Harness) => download,
      () => undefined,
    ),
    refused("it can't be fetched", ({ download }: Harness) => download, failure("network")),
    answered(
      "it has another name",
      ({ rename }: Harness) => rename,
      () => sealedItem("i1"),
    ),
    refused("it keeps its name", ({ rename }: Harness) => rename, failure("network")),
    answered(
      "it is gone",
      ({ remove }: Harness) => remove,
      () => undefined,
    ),
    refused("it is still there", ({ remove }: Harness) => remove, failure("network")),
  ],
  situation: (harness) => [harness.actor.getSnapshot().context.failure, harness.isDecrypted(), harness.emitted.at(-1)],
  rules: {
    "what was decrypted is here only while it is open": (harness) =>
      harness.isDecrypted() === selectItemIsOpen(harness.actor.getSnapshot()),
    "only what is decrypted is handed over": ({ handed }) => handed.every((decrypted) => decrypted),
    "one thing at a time": ({ open, download, rename, remove }) =>
      open.open().length + download.open().length + rename.open().length + remove.open().length <= 1,
    "what takes long can be called off": ({ actor }) =>
      !selectIsFetching(actor.getSnapshot()) || actor.getSnapshot().can({ type: "cancel.requested" }),
    "it is gone when the page has heard so": (harness) =>
      (value(harness) === "removed") === (harness.emitted.at(-1) === "item.removed"),
  },
});
