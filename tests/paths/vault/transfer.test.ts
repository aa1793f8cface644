import { createActor, fromCallback } from "xstate";
import type { VaultItem } from "#contract/index.ts";
import {
  selectTransferFailure,
  selectTransferState,
  type VaultTransferEmitted,
  type VaultTransferEvent,
  vaultTransferMachine,
} from "#machines/vault/transfer.ts";
import { sealedItem } from "#tests/machines/vault/harness.ts";
import { answer, answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const starts = ["a recording", "a transcription that moves"] as const;

function prepare(stubs: Stubs) {
  const calls = {
    send: stubs.asking<VaultItem, { id: string }>(),
    settle: stubs.asking<void, { id: string; item: VaultItem | null }>(),
    discard: stubs.asking<void, { id: string }>(),
  };
  const wakeUps = stubs.callback<VaultTransferEvent>();
  const signIn = stubs.callback<VaultTransferEvent>();
  const { send, settle, discard } = calls;
  const machine = vaultTransferMachine.provide({
    actors: {
      send: send.logic,
      settle: settle.logic,
      discard: discard.logic,
      wakeUps: wakeUps.logic,
      signIn: signIn.logic,
    },
  });
  return ({ clock, inspect, start }: RunOptions) => {
    const heard: VaultTransferEmitted["type"][] = [];
    const list = createActor(
      fromCallback<VaultTransferEmitted>(({ receive }) => receive(({ type }) => heard.push(type))),
    ).start();
    const input = { id: "r1", size: 10, moves: start === starts[1], list };
    const actor = createActor(machine, { clock, inspect, input });
    return { actor, ...calls, wakeUps, signIn, heard };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const state = ({ actor }: Harness) => selectTransferState(actor.getSnapshot());
const isWorking = ({ actor }: Harness) => actor.getSnapshot().matches("working");
const nothing = () => undefined;

walkTests<Harness>({
  machine: vaultTransferMachine,
  prepare,
  starts,
  moves: [
    sent({ type: "slot.given" }),
    sent({ type: "cancel.requested" }),
    sent({ type: "retry.requested" }),
    answered(
      "it has arrived",
      ({ send }: Harness) => send,
      () => sealedItem("i1"),
    ),
    refused("nobody is signed in", ({ send }: Harness) => send, answer(401, "unauthorized")),
    refused("nobody answers", ({ send }: Harness) => send, answer(0, "network")),
    refused("it can't be read", ({ send }: Harness) => send, failure("unreadable")),
    answered("the original is gone", ({ settle }: Harness) => settle, nothing),
    refused("nobody is signed in any more", ({ settle }: Harness) => settle, answer(401, "unauthorized")),
    refused("nobody answers any more", ({ settle }: Harness) => settle, answer(0, "network")),
    refused("the vault is locked", ({ settle }: Harness) => settle, failure("locked")),
    refused("it is not the same", ({ settle }: Harness) => settle, failure("different")),
    answered("nothing is left of it", ({ discard }: Harness) => discard, nothing),
    refused("something may be left of it", ({ discard }: Harness) => discard, failure("network")),
    said({ type: "page.resumed" }, ({ wakeUps }: Harness) => wakeUps),
    said({ type: "session.resumed" }, ({ signIn }: Harness) => signIn),
    untilNextTimer,
  ],
  situation: ({ actor, heard }) => {
    const { attempts, code, item, moves } = actor.getSnapshot().context;
    return [moves, Math.min(attempts, 3), code, item !== null, heard.at(-1)];
  },
  rules: {
    "it is sent once at a time": ({ send, settle }) => send.open().length + settle.open().length <= 1,
    "an original is never deleted before all of it has arrived": ({ settle }) =>
      settle.open().every(({ input }) => input !== undefined && input.item !== null),
    "what stays where it was is not touched": ({ actor, settle }) => actor.getSnapshot().context.moves || settle.times() === 0,
    "what has arrived is not sent again": (harness) =>
      harness.actor.getSnapshot().context.item === null || harness.send.open().length === 0,
    "it is done when the list has heard so": (harness) => (state(harness) === "done") === harness.heard.includes("transfer.done"),
    "the line is held exactly while it works": (harness) =>
      isWorking(harness) === (harness.heard.filter((type) => type !== "transfer.done").at(-1) === "slot.requested"),
    "a failure has a reason": (harness) =>
      state(harness) !== "failed" || selectTransferFailure(harness.actor.getSnapshot()) !== null,
    "what waits for the server is tried again within 30 s": (harness, clock) =>
      state(harness) !== "waitingForServer" || (clock.untilNext() ?? Number.NaN) <= 30_000,
  },
});
