import { onTestFinished } from "vitest";
import { createActor, fromCallback, fromPromise } from "xstate";
import type { Segment } from "#contract/index.ts";
import type { DeviceModelEvent, StoredModel } from "#machines/device-models/events.ts";
import { deviceModelMachine } from "#machines/device-models/machine.ts";
import { deviceModels } from "#src/features/device-models/actor.ts";
import type { DeviceRecogniser } from "#src/features/device-models/recogniser.ts";

type Listener = Parameters<DeviceRecogniser["listen"]>[0];
type Options = Parameters<DeviceRecogniser["transcribe"]>[1];

export const segment = (start: number, text: string): Segment => ({ start, end: start + 1, text, words: [] });

/** A live recognition whose results the test defines. */
interface Heard extends Listener {
  /** Number of PCM bytes written. */
  bytes: number;
  /** Resolves or rejects `end`. */
  finish: PromiseWithResolvers<Segment[]>;
  wasCancelled: boolean;
}

/** A started machine of a model in this state, until the test ends. `nothing` allows a download that takes no time. */
export function modelActor(kept: StoredModel["kept"]) {
  const nothing = fromCallback<DeviceModelEvent>(() => {});
  const machine = deviceModelMachine.provide({
    actors: {
      check: fromPromise<StoredModel>(async () => ({ kept, wasReplaced: false })),
      fetch: fromPromise(async () => {}),
      verify: fromPromise(async () => {}),
      otherTabs: nothing,
      wakeUps: nothing,
      worker: nothing,
      discard: fromPromise(async () => {}),
    },
    actions: { askForPersistence: () => {}, tellOtherTabs: () => {} },
  });
  const actor = createActor(machine).start();
  onTestFinished(() => void actor.stop());
  return actor;
}

/**
 * Replaces this device's model and its recognizer until the test ends.
 * @param kept the model's state, as in `modelActor`
 */
export function keepModel(kept: StoredModel["kept"] = "whole") {
  const streams: Heard[] = [];
  const recordings: (Options & { sound: Blob; done: PromiseWithResolvers<Segment[]> })[] = [];
  const recogniser: DeviceRecogniser = {
    listen: (listener) => {
      const heard: Heard = { ...listener, bytes: 0, finish: Promise.withResolvers<Segment[]>(), wasCancelled: false };
      streams.push(heard);
      return {
        write: (pcm) => {
          heard.bytes += pcm.length;
        },
        end: () => heard.finish.promise,
        cancel: () => {
          heard.wasCancelled = true;
        },
      };
    },
    transcribe: (sound, options) => {
      const done = Promise.withResolvers<Segment[]>();
      recordings.push({ ...options, sound, done });
      return done.promise;
    },
  };
  const actor = modelActor(kept);
  const models = deviceModels();
  const { english } = models;
  models.english = { ...english, actor, recogniser };
  onTestFinished(() => {
    models.english = english;
  });
  const last = <Value>(values: readonly Value[]): Value => {
    const value = values.at(-1);
    if (value === undefined) throw new Error("Nothing was recognized.");
    return value;
  };
  /** Reports a missing or changed piece, as the worker does. */
  const damage = () => {
    actor.send({ type: "use.begun" });
    actor.send({ type: "worker.failed", code: "damaged" });
  };
  return { streams, recordings, stream: () => last(streams), recording: () => last(recordings), damage };
}
