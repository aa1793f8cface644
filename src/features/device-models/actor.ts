import english from "virtual:device-models";
import { createActor, fromCallback, fromPromise } from "xstate";
import type { DeviceModelEvent, KeptModel } from "#machines/device-models/events.ts";
import { deviceModelMachine } from "#machines/device-models/machine.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { createStore } from "#src/browser/store.ts";
import { createClient } from "./client.ts";
import { download, keptBytes } from "./download.ts";
import { DeviceFailure } from "./failure.ts";
import { downloadBytes, listFiles, type ModelFiles } from "./files.ts";
import { deleteKept, listKept, openKept, readKept } from "./kept.ts";
import { whyUnsupported } from "./support.ts";

/** The Web Lock of the tab that downloads, or deletes. */
const lockName = "device-models";

export type DeviceModel = ReturnType<typeof createDeviceModel>;

let models: { english: DeviceModel } | undefined;

/** The models that this browser can keep; they live as long as the page. */
export function deviceModels(): { english: DeviceModel } {
  models ??= { english: createDeviceModel(english) };
  return models;
}

function createDeviceModel(files: ModelFiles) {
  const fraction = createStore(0);
  const channel = new BroadcastChannel("device-models");
  const { run, listen, transcribe } = createClient(files, (event) => actor.send(event));
  const alone = createQueue();
  const check = async (): Promise<KeptModel> => {
    const reason = whyUnsupported();
    if (reason !== null) throw new DeviceFailure(reason);
    const { held = [] } = await navigator.locks.query();
    const { pieces, wasReplaced } = await listKept(await openKept(), files);
    const bytes = keptBytes(files, pieces);
    fraction.set(bytes / downloadBytes(files));
    if (held.some(({ name }) => name === lockName)) return { kept: "elsewhere", wasReplaced };
    return { kept: bytes === 0 ? "nothing" : bytes < downloadBytes(files) ? "part" : "whole", wasReplaced };
  };
  const verify = async (signal: AbortSignal) => {
    const kept = await openKept();
    // One after another: the largest has 30 MB.
    for (const file of listFiles(files)) {
      signal.throwIfAborted();
      await readKept(kept, file);
    }
  };
  const machine = deviceModelMachine.provide({
    actors: {
      check: fromPromise(check),
      fetch: fromPromise(({ signal }) =>
        alone(async () => download({ kept: await openKept(), files, signal, onProgress: fraction.set })),
      ),
      verify: fromPromise(({ signal }) => verify(signal)),
      discard: fromPromise(async () => {
        await alone(deleteKept);
        fraction.set(0);
      }),
      awaitOther: fromPromise(({ signal }) => navigator.locks.request(lockName, { signal }, () => {})),
      worker: fromCallback<DeviceModelEvent>(run),
      otherTabs: fromCallback<DeviceModelEvent>(({ sendBack }) => {
        const tell = () => sendBack({ type: "storage.changed" });
        channel.addEventListener("message", tell);
        return () => channel.removeEventListener("message", tell);
      }),
      wakeUps: createWakeUps<DeviceModelEvent>(),
    },
    actions: {
      // Without it the model is kept as long as the browser has room.
      askForPersistence: () => void navigator.storage?.persist?.().catch(() => false),
      tellOtherTabs: () => channel.postMessage("changed"),
    },
  });
  const actor = createActor(machine, inspected()).start();
  return { actor, fraction, bytes: downloadBytes(files), recogniser: { listen, transcribe } };
}

/** Runs one task of this tab at a time, while no other tab runs one. A task rejects with `elsewhere` when another tab does. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return (task: () => Promise<void>): Promise<void> => {
    // What was aborted a moment ago still holds the lock.
    const done = last.then(() =>
      navigator.locks.request(lockName, { ifAvailable: true }, async (lock) => {
        if (lock === null) throw new DeviceFailure("elsewhere");
        await task();
      }),
    );
    last = done.catch(() => {});
    return done;
  };
}
