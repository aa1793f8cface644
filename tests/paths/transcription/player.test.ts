import { createActor, sendTo } from "xstate";
import { type PlayerCommand, type PlayerEvent, playerMachine, selectHasFailed } from "#machines/transcription/player.ts";
import { answered, failure, outage, refused, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const authorize = stubs.asking<void>();
  const element = stubs.callback<PlayerEvent, PlayerCommand>();
  const machine = playerMachine.provide({
    actors: { authorize: authorize.logic, element: element.logic },
    actions: { command: sendTo("element", (_, command: PlayerCommand) => command) },
  });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), authorize, element });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;
const asked = ({ authorize }: Harness) => authorize;
const spoken = ({ element }: Harness) => element;
const isOpen = ({ actor }: Harness) => actor.getSnapshot().matches("open");

walkTests<Harness>({
  machine: playerMachine,
  prepare,
  moves: [
    sent({ type: "play.requested" }),
    sent({ type: "pause.requested" }),
    sent({ type: "seek.requested", seconds: 7 }, "a place is chosen"),
    sent({ type: "seek.requested", seconds: 7, play: true }, "a word is chosen, to be played"),
    sent({ type: "skip.requested", seconds: -3 }),
    sent({ type: "rate.changed", rate: 1.5 }),
    sent({ type: "rate.stepped", steps: 1 }),
    sent({ type: "rewinding.chosen", rewinds: true }),
    sent({ type: "source.changed", seconds: 4 }),
    answered("the server lets it hear", asked, () => undefined),
    outage(refused("the server does not", asked, failure("notFound"))),
    said({ type: "element.ready", durationSeconds: Number.POSITIVE_INFINITY }, spoken),
    said({ type: "element.playing" }, spoken),
    said({ type: "element.paused" }, spoken),
    said({ type: "element.paused", ended: true }, spoken, "it has ended"),
    said({ type: "element.failed", seconds: 3 }, spoken),
  ],
  situation: (harness) => {
    const { attempts, wanted, rate, rewinds, interrupted } = context(harness);
    return [attempts, wanted.play, wanted.seconds === null, rate === 1, rewinds, interrupted];
  },
  rules: {
    "the right to hear is asked for once at a time": ({ authorize }) => authorize.open().length <= 1,
    "there is an element exactly while it is open": (harness) => harness.element.running() === (isOpen(harness) ? 1 : 0),
    "nothing is asked for before somebody wants to listen": (harness) =>
      !harness.actor.getSnapshot().matches("idle") || harness.authorize.times() === 0,
    "one more try by itself, not more": (harness) => context(harness).attempts <= 1,
    "a length that nobody knows is none": (harness) => context(harness).durationSeconds === null,
    "after a failure the person can try again": (harness) =>
      !selectHasFailed(harness.actor.getSnapshot()) || harness.actor.getSnapshot().can({ type: "play.requested" }),
    "the speed stays within what can be understood": (harness) => context(harness).rate >= 0.5 && context(harness).rate <= 2,
    "it goes back by itself only for who wants that": (harness) =>
      context(harness).rewinds ||
      !harness.element.heard.some((command) => command.type === "skip.requested" && command.seconds === -1),
    "an element that is ready hears the speed first": ({ element }) =>
      element.heard[0] === undefined || element.heard[0].type === "rate.requested",
  },
});
