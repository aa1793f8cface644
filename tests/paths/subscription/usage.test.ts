import { createActor } from "xstate";
import type { Usage } from "#contract/index.ts";
import { usageLevel, usageMachine } from "#machines/subscription/usage.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const usage = (usedTranslationMinutes: number, limitMinutes: number | null = 10): Usage => ({
  usedTranslationMinutes,
  limitMinutes,
  resetsAt: "2026-04-01T00:00:00.000Z",
});

function prepare(stage: Stage) {
  const fetchUsage = stage.asking<Usage>();
  const machine = usageMachine.provide({ actors: { fetchUsage: fetchUsage.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    /** The usages that were emitted, the latest last. */
    const emitted: Usage[] = [];
    const warned: string[] = [];
    actor.on("usage.loaded", (event) => emitted.push(event.usage));
    actor.on("usage.warned", ({ level }) => warned.push(`${visits} ${level}`));
    let visits = 0;
    let before = false;
    actor.subscribe(({ context }) => {
      if (context.visiting && !before) visits += 1;
      before = context.visiting;
    });
    return { actor, fetchUsage, emitted, warned };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const asked = ({ fetchUsage }: Rig) => fetchUsage;
const context = ({ actor }: Rig) => actor.getSnapshot().context;

walkTests<Rig>({
  machine: usageMachine,
  prepare,
  moves: [
    sent({ type: "visit.began" }, "a page is entered on which minutes are spent"),
    sent({ type: "visit.ended" }, "it is left"),
    sent({ type: "usage.requested" }, "minutes may have been spent"),
    answered("there are plenty", asked, () => usage(7.9)),
    answered("few are left", asked, () => usage(8)),
    answered("none is left", asked, () => usage(10)),
    answered("there is no limit", asked, () => usage(60, null)),
    refused("it can't be had", asked, failure("network")),
    refused("the server counts no minutes", asked, failure("notOffered")),
  ],
  situation: (rig) => [context(rig).visiting, context(rig).warned],
  rules: {
    "it is asked for once at a time": ({ fetchUsage }) => fetchUsage.open().length <= 1,
    "it is asked for exactly while somebody wants to know": ({ actor, fetchUsage }) =>
      fetchUsage.open().length === (actor.getSnapshot().matches("asking") ? 1 : 0),
    "who comes to such a page, or spends, is given the answer": ({ emitted, fetchUsage }) => emitted.length <= fetchUsage.times(),
    "who has no limit, or plenty, is not warned": ({ emitted, warned }) =>
      warned.length === 0 || emitted.some((one) => usageLevel(one) !== "free"),
    "nobody hears the same warning twice in one visit": ({ warned }) => warned.every((line, index) => line !== warned[index + 1]),
  },
});
