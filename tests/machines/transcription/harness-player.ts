import { createActor, sendTo } from "xstate";
import { type PlayerCommand, type PlayerEvent, playerMachine } from "#machines/transcription/player.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

export function setUp() {
  const authorize = answering<void>();
  const element = talking<PlayerEvent, PlayerCommand>();
  const machine = playerMachine.provide({
    actors: { authorize: authorize.logic, element: element.logic },
    actions: { command: sendTo("element", (_, command: PlayerCommand) => command) },
  });
  const actor = stopsAfterTest(createActor(machine)).start();
  return {
    authorize,
    element,
    actor,
    send: actor.send.bind(actor),
    get: <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot()),
    state: () => actor.getSnapshot().value,
    /** The commands since it was asked last. */
    commands: () => element.heard.splice(0),
  };
}

/** Playback is allowed, and the element has loaded the audio. */
export async function ready(player: ReturnType<typeof setUp>, durationSeconds = 90) {
  await player.authorize.last().resolve();
  player.element.say({ type: "element.ready", durationSeconds });
}

export async function playing() {
  const player = setUp();
  player.send({ type: "play.requested" });
  await ready(player);
  player.element.say({ type: "element.playing" });
  player.commands();
  return player;
}
