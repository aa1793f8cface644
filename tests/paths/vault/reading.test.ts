import { createActor } from "xstate";
import {
  selectEdited,
  selectIsTextSaving,
  selectSaveFailure,
  type VaultReadingEvent,
  vaultReadingMachine,
} from "#machines/vault/reading.ts";
import { answered, failure, refused, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const open = stubs.asking<void, { id: string }>();
  const save = stubs.asking<void, { index: number | null }>();
  const keep = stubs.asking<void, { id: string }>();
  const holdPage = stubs.callback();
  const wakeUps = stubs.callback<VaultReadingEvent>();
  return ({ clock, inspect }: RunOptions) => {
    /** The place of the input: in a field, encrypted, on the server, or discarded by the person. */
    let typed: "nowhere" | "field" | "sealed" = "nowhere";
    let decrypted = false;
    let lost = false;
    const machine = vaultReadingMachine.provide({
      actors: { open: open.logic, save: save.logic, keep: keep.logic, holdPage: holdPage.logic, wakeUps: wakeUps.logic },
      actions: {
        begin: () => {
          typed = "field";
        },
        drop: () => {
          typed = "nowhere";
        },
        seal: () => {
          typed = "sealed";
        },
        release: () => {
          lost ||= typed === "field";
          decrypted = false;
        },
      },
    });
    const actor = createActor(machine, { clock, inspect, input: { id: "i1" } });
    return {
      actor,
      open,
      save,
      keep,
      holdPage,
      wakeUps,
      read: () => {
        decrypted = true;
      },
      stored: () => {
        typed = "nowhere";
      },
      isDecrypted: () => decrypted,
      isLost: () => lost,
      typed: () => typed,
    };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();

walkTests<Harness>({
  machine: vaultReadingMachine,
  prepare,
  moves: [
    sent({ type: "open.requested" }),
    sent({ type: "close.requested" }),
    sent({ type: "retry.requested" }),
    sent({ type: "edit.requested", index: 1 }, "a passage is corrected"),
    sent({ type: "edit.requested", index: 2 }, "another passage is corrected"),
    sent({ type: "save.requested" }),
    sent({ type: "edit.cancelled" }),
    sent({ type: "text.replaced" }),
    answered(
      "it is read",
      ({ open }: Harness) => open,
      (harness) => harness.read(),
    ),
    refused("it can't be read", ({ open }: Harness) => open, failure("network")),
    answered(
      "it is saved",
      ({ save }: Harness) => save,
      (harness) => harness.stored(),
    ),
    refused("it is not saved", ({ save }: Harness) => save, failure("network")),
    answered(
      "what is sealed is stored",
      ({ keep }: Harness) => keep,
      (harness) => harness.stored(),
    ),
    refused("what is sealed is not stored", ({ keep }: Harness) => keep, failure("network")),
    said({ type: "page.resumed" }, ({ wakeUps }: Harness) => wakeUps),
  ],
  situation: (harness) => {
    const { index, next, failure: why } = snapshot(harness).context;
    return [index, next, why, harness.typed(), harness.isDecrypted()];
  },
  rules: {
    "what is typed is never lost": ({ isLost }) => !isLost(),
    "the text is decrypted only while it is open": (harness) => harness.isDecrypted() === snapshot(harness).matches("open"),
    "the page is held while a correction is not stored": (harness) =>
      harness.typed() === "nowhere" || harness.holdPage.running() === 1,
    "what is sealed is not read before it is stored": (harness) =>
      harness.typed() !== "sealed" || harness.open.open().length === 0,
    "a field is open while its text is typed or saved": (harness) =>
      (selectEdited(snapshot(harness)) !== null) === snapshot(harness).matches({ open: "editing" }),
    "what is not saved can be saved again": (harness) =>
      selectSaveFailure(snapshot(harness)) === null || snapshot(harness).can({ type: "save.requested" }),
    "one thing at a time": ({ open, save, keep }) => open.open().length + save.open().length + keep.open().length <= 1,
    "while it is saved nothing else begins": (harness) =>
      !selectIsTextSaving(snapshot(harness)) || !snapshot(harness).can({ type: "edit.cancelled" }),
  },
});
