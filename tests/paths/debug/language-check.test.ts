import { createActor } from "xstate";
import type { CallReport } from "#contract/index.ts";
import { languageCheckMachine, selectAsked, selectUsed } from "#machines/debug/language-check.ts";
import { answered, failure, outage, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const calls = ["/", "/languages/codes", "/languages"];
const welsh = { code: "cy", name: "Welsh", nativeName: "Cymraeg" };

function report(path: string, works: boolean): CallReport {
  const accepted = works && path !== "/" ? { shape: "array", languages: [welsh], leftOut: 0 } : null;
  return { path, status: works ? 200 : 0, took: 3, raw: "", isOk: works, accepted };
}

function prepare(stage: Stage) {
  const ask = stage.asking<CallReport, { path: string }>();
  const machine = languageCheckMachine.provide({ actors: { ask: ask.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect, input: { calls } }), ask });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const reports = (rig: Rig) => snapshot(rig).context.reports;
const asked = ({ ask }: Rig) => ask;

walkTests<Rig>({
  machine: languageCheckMachine,
  prepare,
  simple: true,
  moves: [
    answered("the call works", asked, (_, input) => report(input?.path ?? "", true)),
    outage(answered("the call does not work", asked, (_, input) => report(input?.path ?? "", false))),
    refused("nobody knows how it went", asked, failure("internal")),
    sent({ type: "run.requested" }),
  ],
  situation: (rig) => [reports(rig).map(({ isOk }) => isOk), snapshot(rig).context.error],
  rules: {
    "one call at a time": ({ ask }) => ask.open().length <= 1,
    "it asks as long as there is something to ask": (rig) => snapshot(rig).matches("asking") === rig.ask.open().length > 0,
    "the calls come in their order": (rig) => reports(rig).every(({ path }, index) => path === calls[index]),
    "the next one is asked": (rig) => rig.ask.open().every(({ input }) => input?.path === selectAsked(snapshot(rig))),
    "done is when all have answered": (rig) => snapshot(rig).matches("done") === (reports(rig).length === calls.length),
    "the first that works is used": (rig) => {
      const used = selectUsed(snapshot(rig));
      const first = reports(rig).find(({ path, isOk }) => path !== "/" && isOk);
      if (first !== undefined) return used === first;
      return used === (snapshot(rig).matches("done") ? "builtIn" : null);
    },
    "what could not go on says why": (rig) => snapshot(rig).matches("failed") === (snapshot(rig).context.error !== null),
  },
});
