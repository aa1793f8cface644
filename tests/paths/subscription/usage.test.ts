import { createActor } from "xstate";
import type { Usage } from "#contract/index.ts";
import { selectMinutesLeft, selectUsage, type UsageEvent, usageLevel, usageMachine } from "#machines/subscription/usage.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Move } from "#tests/paths/harness-run.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const usage = (usedTranslationMinutes: number, limitMinutes: number | null = 10): Usage => ({
  usedTranslationMinutes,
  limitMinutes,
  resetsAt: "2026-04-01T00:00:00.000Z",
});

function prepare(stubs: Stubs) {
  const fetchUsage = stubs.asking<Usage>();
  const transcriptions = stubs.callback<UsageEvent>();
  const router = stubs.callback<UsageEvent, UsageEvent, { path: string }>();
  const machine = usageMachine.provide({
    actors: { fetchUsage: fetchUsage.logic, transcriptions: transcriptions.logic, router: router.logic },
  });
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
    return { actor, fetchUsage, transcriptions, router, loaded, warned, memory };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const asked = ({ fetchUsage }: Harness) => fetchUsage;
const context = ({ actor }: Harness) => actor.getSnapshot().context;

/** A page on which minutes are spent is entered: another one than before is another visit. */
function entered(path: string): Move<Harness> {
  const move = sent<UsageEvent>({ type: "visit.began", path }, `${path} is entered`);
  return {
    ...move,
    happen: (harness, clock) => {
      if (context(harness).visited !== path) harness.memory.visits += 1;
      move.happen(harness, clock);
    },
  };
}

walkTests<Harness>({
  machine: usageMachine,
  prepare,
  moves: [
    entered("/speech-to-text"),
    entered("/voice-translator"),
    sent<UsageEvent>({ type: "visit.ended", path: "/speech-to-text" }, "dictation is left"),
    said({ type: "visit.ended", path: "/voice-translator" }, ({ router }: Harness) => router, "the translator is left"),
    sent<UsageEvent>({ type: "page.entered", path: "/dashboard" }),
    sent<UsageEvent>({ type: "minutes.spent" }),
    said({ type: "usage.requested" }, ({ transcriptions }: Harness) => transcriptions, "a transcription has ended"),
    sent<UsageEvent>({ type: "usage.requested" }, "minutes may have been spent"),
    sent<UsageEvent>({ type: "usage.outdated" }, "minutes may have been spent elsewhere"),
    sent<UsageEvent>({ type: "reset.requested" }, "the person leaves"),
    answered("there are plenty", asked, () => usage(7.9)),
    answered("few are left", asked, () => usage(8)),
    answered("none is left", asked, () => usage(10)),
    answered("there is no limit", asked, () => usage(60, null)),
    refused("it can't be had", asked, failure("network")),
    refused("the server counts no minutes", asked, failure("notOffered")),
    untilNextTimer,
  ],
  situation: (harness) => {
    const { visited, entered: path, warned, usage: known } = context(harness);
    return [visited, path, warned, known?.usedTranslationMinutes];
  },
  rules: {
    "it is asked for once at a time": ({ fetchUsage }) => fetchUsage.open().length <= 1,
    "it is asked for exactly while somebody wants to know": ({ actor, fetchUsage }) =>
      fetchUsage.open().length === (actor.getSnapshot().matches({ fetch: "asking" }) ? 1 : 0),
    "transcriptions and the address are watched exactly during a visit": (harness) => {
      const visits = context(harness).visited === null ? 0 : 1;
      return harness.transcriptions.running() === visits && harness.router.running() === visits;
    },
    "who comes to such a page, or spends, is given the answer": ({ loaded, fetchUsage }) => loaded.length <= fetchUsage.times(),
    "the minutes are those that were loaded last": ({ actor, loaded }) =>
      [null, loaded.at(-1)].includes(selectUsage(actor.getSnapshot())),
    "nobody has less than no minutes left": ({ actor }) => (selectMinutesLeft(actor.getSnapshot()) ?? 0) >= 0,
    "who has no limit, or plenty, is not warned": ({ loaded, warned }) =>
      warned.length === 0 || loaded.some((one) => usageLevel(one) !== "free"),
    "nobody hears the same warning twice in one visit": ({ warned }) => warned.every((line, index) => line !== warned[index + 1]),
  },
});
