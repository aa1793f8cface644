import { createActor } from "xstate";
import type { Usage } from "#contract/index.ts";
import { selectMinutesLeft, selectUsage, type UsageEvent, usageLevel, usageMachine } from "#machines/subscription/usage.ts";
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
    /** The answers that were taken, the latest last. */
    const loaded: Usage[] = [];
    const warned: string[] = [];
    const memory = { visits: 0 };
    actor.on("usage.warned", ({ level }) => warned.push(`${memory.visits} ${level}`));
    actor.subscribe(({ context }) => {
      if (context.usage !== null && context.usage !== loaded.at(-1)) loaded.push(context.usage);
    });
    return { actor, fetchUsage, loaded, warned, memory };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const asked = ({ fetchUsage }: Rig) => fetchUsage;
const context = ({ actor }: Rig) => actor.getSnapshot().context;

const entered = sent<UsageEvent>({ type: "visit.began" }, "a page is entered on which minutes are spent");

walkTests<Rig>({
  machine: usageMachine,
  prepare,
  moves: [
    {
      ...entered,
      happen: (rig, clock) => {
        rig.memory.visits += 1;
        entered.happen(rig, clock);
      },
    },
    sent({ type: "visit.ended" }, "it is left"),
    sent({ type: "usage.requested" }, "minutes may have been spent"),
    sent({ type: "usage.outdated" }, "minutes may have been spent elsewhere"),
    sent({ type: "reset.requested" }, "the person leaves"),
    answered("there are plenty", asked, () => usage(7.9)),
    answered("few are left", asked, () => usage(8)),
    answered("none is left", asked, () => usage(10)),
    answered("there is no limit", asked, () => usage(60, null)),
    refused("it can't be had", asked, failure("network")),
    refused("the server counts no minutes", asked, failure("notOffered")),
  ],
  situation: (rig) => [context(rig).visiting, context(rig).warned, context(rig).usage?.usedTranslationMinutes],
  rules: {
    "it is asked for once at a time": ({ fetchUsage }) => fetchUsage.open().length <= 1,
    "it is asked for exactly while somebody wants to know": ({ actor, fetchUsage }) =>
      fetchUsage.open().length === (actor.getSnapshot().matches("asking") ? 1 : 0),
    "who comes to such a page, or spends, is given the answer": ({ loaded, fetchUsage }) => loaded.length <= fetchUsage.times(),
    "the minutes are those that were loaded last": ({ actor, loaded }) =>
      [null, loaded.at(-1)].includes(selectUsage(actor.getSnapshot())),
    "nobody has less than no minutes left": ({ actor }) => (selectMinutesLeft(actor.getSnapshot()) ?? 0) >= 0,
    "who has no limit, or plenty, is not warned": ({ loaded, warned }) =>
      warned.length === 0 || loaded.some((one) => usageLevel(one) !== "free"),
    "nobody hears the same warning twice in one visit": ({ warned }) => warned.every((line, index) => line !== warned[index + 1]),
  },
});
