import { createActor, type EventObject, fromCallback, fromPromise } from "xstate";
import type { VaultItem } from "#contract/index.ts";
import { type VaultTransferEvent, vaultTransferMachine } from "#machines/vault/transfer.ts";
import { selectTransfers, vaultTransfersMachine } from "#machines/vault/transfers.ts";
import { sealedItem } from "#tests/machines/vault/harness.ts";
import { answer, answered, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const ids = ["one", "two"] as const;
type Id = (typeof ids)[number];

function prepare(stubs: Stubs) {
  const send = stubs.asking<VaultItem, { id: string }>();
  const discard = stubs.asking<void, { id: string }>();
  const hold = stubs.callback<VaultTransferEvent, EventObject>();
  const transfer = vaultTransferMachine.provide({
    actors: {
      send: send.logic,
      settle: fromPromise(async () => {}),
      discard: discard.logic,
      wakeUps: fromCallback<VaultTransferEvent>(() => {}),
      signIn: fromCallback<VaultTransferEvent>(() => {}),
    },
  });
  const machine = vaultTransfersMachine.provide({ actors: { transfer, holdPage: hold.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const emitted: string[] = [];
    const actor = createActor(machine, { clock, inspect });
    actor.on("transfer.done", ({ id }) => emitted.push(`done ${id}`));
    actor.on("transfer.removed", ({ id }) => emitted.push(`removed ${id}`));
    return { actor, send, discard, hold, emitted };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const list = ({ actor }: Harness) => selectTransfers(actor.getSnapshot());
const find = (harness: Harness, id: Id) => list(harness).find((transfer) => transfer.id === id);

/** A person does something with one of them. */
function asked(id: Id, type: "cancel.requested" | "retry.requested"): Move<Harness> {
  return {
    name: `${type} ${id}`,
    may: (harness) => find(harness, id)?.getSnapshot().can({ type }) ?? false,
    happen: (harness) => find(harness, id)?.send({ type }),
  };
}
function added(id: Id): Move<Harness> {
  return {
    name: `added ${id}`,
    may: (harness) => find(harness, id) === undefined && !harness.emitted.includes(`removed ${id}`),
    happen: ({ actor }) => actor.send({ type: "transfers.added", transfers: [{ id, size: 1, moves: false }] }),
  };
}

walkTests<Harness>({
  machine: vaultTransfersMachine,
  prepare,
  moves: [
    ...ids.map(added),
    ...ids.map((id) => asked(id, "cancel.requested")),
    ...ids.map((id) => sent({ type: "dismiss.requested", id } as const, `dismissed ${id}`)),
    answered(
      "one has arrived",
      ({ send }: Harness) => send,
      () => sealedItem("i1"),
    ),
    {
      name: "one is refused",
      may: ({ send }) => send.open().length > 0,
      happen: ({ send }) => send.refuse(answer(413, "tooLarge")),
    },
    asked("one", "retry.requested"),
    answered(
      "nothing is left of a cancelled one",
      ({ discard }: Harness) => discard,
      () => undefined,
    ),
  ],
  isLocal: "each transfer meets the network by itself (transfer.test.ts)",
  situation: (harness) => [
    ids.map((id) => find(harness, id)?.getSnapshot().value ?? null),
    harness.actor.getSnapshot().context.waiting,
    harness.actor.getSnapshot().context.sending,
    harness.emitted.toSorted(),
  ],
  rules: {
    "one is sent at a time": ({ send }) => send.open().length <= 1,
    "the slot is taken while somebody waits": ({ actor }) => {
      const { sending, waiting } = actor.getSnapshot().context;
      return sending.length > 0 || waiting.length === 0;
    },
    "the page is held exactly while something is on its way": ({ actor, hold }) =>
      hold.running() === (actor.getSnapshot().context.sending.length === 0 ? 0 : 1),
    "none is done twice": ({ emitted }) => new Set(emitted).size === emitted.length,
  },
});
