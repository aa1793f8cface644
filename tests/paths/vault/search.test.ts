import { createActor } from "xstate";
import {
  selectIsReadingTexts,
  selectIsSearchingTexts,
  selectIsStopped,
  selectIsTextFound,
  selectReadingFailure,
  type VaultSearchEvent,
  vaultSearchMachine,
} from "#machines/vault/search.ts";
import { answered, outage, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const readTexts = stubs.callback<VaultSearchEvent>();
  const search = stubs.asking<void>();
  return ({ clock, inspect }: RunOptions) => {
    let hits = 0;
    const machine = vaultSearchMachine.provide({
      actors: { readTexts: readTexts.logic, search: search.logic },
      actions: {
        clearHits: () => {
          hits = 0;
        },
        clearTexts: () => {},
      },
    });
    const actor = createActor(machine, { clock, inspect });
    const find = () => {
      hits = 1;
    };
    return { actor, readTexts, search, find, hits: () => hits };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const reader = ({ readTexts }: Harness) => readTexts;

walkTests<Harness>({
  machine: vaultSearchMachine,
  prepare,
  moves: [
    sent({ type: "query.changed", isBlank: false }, "words are typed"),
    sent({ type: "query.changed", isBlank: true }, "they are deleted"),
    sent({ type: "cancel.requested" }),
    sent({ type: "retry.requested" }),
    sent({ type: "texts.changed" }),
    sent({ type: "vault.locked" }),
    said({ type: "texts.came" }, reader),
    said({ type: "texts.read" }, reader),
    outage(said({ type: "reading.failed", code: "network" }, reader)),
    answered(
      "something is found",
      ({ search }: Harness) => search,
      (harness) => harness.find(),
    ),
    untilNextTimer,
  ],
  situation: (harness) => [selectReadingFailure(snapshot(harness)), harness.hits()],
  rules: {
    "the texts are read once at a time": (harness) =>
      harness.readTexts.running() === (selectIsReadingTexts(snapshot(harness)) ? 1 : 0),
    "without words nothing is shown": (harness) =>
      selectIsSearchingTexts(snapshot(harness)) || selectIsTextFound(snapshot(harness)) || harness.hits() === 0,
    "what has stopped can go on": (harness) =>
      !selectIsStopped(snapshot(harness)) || snapshot(harness).can({ type: "retry.requested" }),
    "one search at a time": ({ search }) => search.open().length <= 1,
  },
});
