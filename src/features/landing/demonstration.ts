import * as v from "valibot";
import { createActor, fromPromise, sendTo } from "xstate";
import { Segment } from "#contract/index.ts";
import { type PlayerCommand, playerMachine } from "#machines/transcription/player.ts";
import { createPositionStore } from "#src/audio/position.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { audioElement } from "#src/features/transcription/audio-element.ts";
import type { Player } from "#src/features/transcription/player.ts";

/** The output of scripts/demo.ts: the engines' result for the recording. */
const Answer = v.object({ segments: v.array(Segment) });

export interface Demonstration extends Player {
  segments: ReadableStore<readonly Segment[]>;
}

let open: Demonstration | undefined;

/** The landing page's recording with its transcript. Loaded and started on demand. */
export function openDemonstration(): Demonstration {
  open ??= createDemonstration();
  return open;
}

function createDemonstration(): Demonstration {
  const position = createPositionStore();
  const segments = createStore<readonly Segment[]>([]);
  const machine = playerMachine.provide({
    actors: {
      authorize: fromPromise<void>(async ({ signal }) => segments.set(await loadSegments(signal))),
      element: audioElement({ url: "/demo/jfk.mp3", withCredentials: false }, position),
    },
    actions: { command: sendTo("element", (_, command: PlayerCommand) => command) },
  });
  return { actor: createActor(machine, inspected()).start(), position, segments };
}

/** @throws when the page's own file is missing */
async function loadSegments(signal: AbortSignal): Promise<readonly Segment[]> {
  const answer = await fetch("/demo/jfk.json", { signal });
  if (!answer.ok) throw new Error(`The demonstration's text can't be had: ${answer.status}`);
  return v.parse(Answer, await answer.json()).segments;
}
