import { createActor } from "xstate";
import type { CallReport } from "#contract/index.ts";
import { languageCheckMachine, selectAsked, selectUsed } from "#machines/debug/language-check.ts";
import { answered, failure, outage, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const calls = ["/", "/languages/codes", "/languages"];
const welsh = { code: "cy", name: "Welsh", nativeName: "Cymraeg" };

function report(path: string, works: boolean): CallReport {
  const accepted = works && path !== "/" ? { shape: "array", languages: [welsh], leftOut: 0 } : null;
  return { path, status: works ? 200 : 0, took: 3, raw: "", isOk: works, accepted };
}

function prepare(stubs: Stubs) {
  const ask = stubs.asking<CallReport, { path: string }>();
  const machine = languageCheckMachine.provide({ actors: { ask: ask.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect, input: { calls } }), ask });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const reports = (harness: Harness) => snapshot(harness).context.reports;
const asked = ({ ask }: Harness) => ask;

walkTests<Harness>({
  machine: languageCheckMachine,
  prepare,
  simple: true,
  moves: [
    answered("the call works", asked, (_, input) => report(input?.path ?? "", true)),
    outage(answered("the call does not work", asked, (_, input) => report(input?.path ?? "", false))),
    refused("nobody knows how it went", asked, failure("internal")),
    sent({ type: "run.requested" }),
  ],
  situation: (harness) => [reports(harness).map(({ isOk }) => isOk), snapshot(harness).context.error],
  rules: {
    "one call at a time": ({ ask }) => ask.open().length <= 1,
    "it asks as long as there is something to ask": (harness) =>
      snapshot(harness).matches("asking") === harness.ask.open().length > 0,
    "the calls come in their order": (harness) => reports(harness).every(({ path }, index) => path === calls[index]),
    "the next one is asked": (harness) => harness.ask.open().every(({ input }) => input?.path === selectAsked(snapshot(harness))),
    "done is when all have answered": (harness) =>
      snapshot(harness).matches("done") === (reports(harness).length === calls.length),
    "the first that works is used": (harness) => {
      const used = selectUsed(snapshot(harness));
      const first = reports(harness).find(({ path, isOk }) => path !== "/" && isOk);
      if (first !== undefined) return used === first;
      return used === (snapshot(harness).matches("done") ? "builtIn" : null);
    },
    "what could not go on says why": (harness) =>
      snapshot(harness).matches("failed") === (snapshot(harness).context.error !== null),
  },
});
