import * as v from "valibot";
import { createActor, fromPromise, sendTo } from "xstate";
import { Segment } from "#contract/index.ts";
import { type PlayerCommand, playerMachine } from "#machines/transcription/player.ts";
import { audioElement } from "#src/audio/element.ts";
import { createPositionStore } from "#src/audio/position.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createStore } from "#src/browser/store.ts";
import type { Player } from "#src/features/transcription/player.ts";

/** What scripts/demo.ts has written: what the engines have made of the recording. */
const Demonstration = v.object({ segments: v.array(Segment) });

const position = createPositionStore();
const segments = createStore<readonly Segment[]>([]);

/** @throws when the page's own file is not there */
async function loadSegments(signal: AbortSignal): Promise<void> {
  const answer = await fetch("/demo/bridge.json", { signal });
  if (!answer.ok) throw new Error(`The demonstration's text can't be had: ${answer.status}`);
  segments.set(v.parse(Demonstration, await answer.json()).segments);
}

const machine = playerMachine.provide({
  actors: {
    authorize: fromPromise<void>(({ signal }) => loadSegments(signal)),
    element: audioElement({ url: "/demo/bridge.mp3", withCredentials: false }, position),
  },
  actions: { command: sendTo("element", (_, command: PlayerCommand) => command) },
});

/** The landing page's recording, with what was heard in it. Loaded, and started, when somebody wants to hear it. */
export const demonstration: Player & { segments: typeof segments } = {
  actor: createActor(machine, inspected()).start(),
  position,
  segments,
};
