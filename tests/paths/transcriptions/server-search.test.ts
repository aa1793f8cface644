import { createActor } from "xstate";
import { type ServerSearchEvent, selectFoundIds, serverSearchMachine } from "#machines/transcriptions/server-search.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const search = stage.asking<ReadonlySet<string>, { term: string }>();
  const machine = serverSearchMachine.provide({ actors: { search: search.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), search });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;

walkTests<Rig>({
  machine: serverSearchMachine,
  prepare,
  moves: [
    sent<ServerSearchEvent>({ type: "term.changed", term: "whale" }, "a word is typed"),
    sent<ServerSearchEvent>({ type: "term.changed", term: "whales" }, "a letter more is typed"),
    sent<ServerSearchEvent>({ type: "term.changed", term: "" }, "nothing is searched any more"),
    untilNextTimer,
    answered(
      "the server has found some",
      ({ search }: Rig) => search,
      (_, input) => new Set([`with ${input?.term}`]),
    ),
    refused("the server can't be asked", ({ search }: Rig) => search, failure("network")),
  ],
  situation: (rig) => [context(rig).term, context(rig).ids !== null, rig.search.open().length],
  rules: {
    "one question at a time, about what is searched now": ({ search, actor }) =>
      search.open().length <= 1 && search.open().every(({ input }) => input?.term === actor.getSnapshot().context.term),
    "nothing is asked about nothing": ({ search }) => search.open().every(({ input }) => input?.term !== ""),
    "what was found belongs to what is searched": (rig) => {
      const { term } = context(rig);
      const ids = selectFoundIds(rig.actor.getSnapshot(), term);
      return ids === null || ids.has(`with ${term}`);
    },
  },
});
