import { createActor, fromCallback, fromPromise } from "xstate";
import type { DeviceModelEvent, StoredModel } from "#machines/device-models/events.ts";
import { deviceModelMachine } from "#machines/device-models/machine.ts";
import { ApiError } from "#src/api/http.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { createStore } from "#src/browser/store.ts";
import { ownSend } from "#src/features/session/api.ts";
import { download, keptBytes } from "./download.ts";
import { DeviceFailure } from "./failure.ts";
import { downloadBytes, type ModelFile } from "./files.ts";
import { deleteStored, keepScript, listStored, openStored, readStored } from "./kept.ts";
import { whyUnsupported } from "./support.ts";
import type { WorkerClient } from "./thread.ts";

interface ModelParts<Client> {
  /** The name of its Cache, its Web Lock and its channel. */
  name: string;
  /** The URL of the worker's script. */
  script: string;
  /** The files that this device stores or would store; none: the device can't store the model. */
  files(): readonly ModelFile[];
  /**
   * Called before a download. Decides what `files` returns afterwards. Absent: `files` never changes.
   * @throws DeviceFailure; the signal's reason
   */
  choose?(signal: AbortSignal): Promise<void>;
  /** Called when everything stored was deleted. */
  forget?(): void;
  connect(send: (event: DeviceModelEvent) => void): Client;
}

/** One model that this browser can store, and the client of its worker. */
export function createDeviceModel<Client extends WorkerClient>({ name, script, ...parts }: ModelParts<Client>) {
  const { files } = parts;
  const fraction = createStore(0);
  const channel = new BroadcastChannel(name);
  const client = parts.connect((event) => actor.send(event));
  const alone = createQueue(name);
  const check = async (): Promise<StoredModel> => {
    const reason = whyUnsupported();
    if (reason !== null) throw new DeviceFailure(reason);
    const { held = [] } = await navigator.locks.query();
    const isElsewhere = held.some((lock) => lock.name === name);
    const kept = await openStored(name);
    // Nobody has downloaded the model, so not even an empty Cache should remain.
    if (files().length === 0 && !isElsewhere) await deleteStored(name);
    const { pieces, wasReplaced } = await listStored(kept, files());
    const [bytes, total] = [keptBytes(files(), pieces), downloadBytes(files())];
    fraction.set(total === 0 ? 0 : bytes / total);
    if (isElsewhere) return { kept: "elsewhere", wasReplaced };
    if (bytes === 0) return { kept: "nothing", wasReplaced };
    if (bytes < total) return { kept: "part", wasReplaced };
    // Without a network, the script of another build is not available. The stored model is usable all the same.
    keepScript(kept, script).catch(() => {});
    return { kept: "whole", wasReplaced };
  };
  const fetchAll = async (signal: AbortSignal) => {
    await parts.choose?.(signal);
    const kept = await openStored(name);
    await download({ kept, files: files(), ask, signal, onProgress: fraction.set });
    await keepScript(kept, script).catch(() => {});
  };
  const verify = async (signal: AbortSignal) => {
    const kept = await openStored(name);
    // One at a time, because the largest has 30 MB.
    for (const file of files()) {
      signal.throwIfAborted();
      await readStored(kept, file);
    }
  };
  const machine = deviceModelMachine.provide({
    actors: {
      check: fromPromise(check),
      fetch: fromPromise(({ signal }) => alone(() => fetchAll(signal))),
      verify: fromPromise(({ signal }) => verify(signal)),
      discard: fromPromise(async () => {
        await alone(() => deleteStored(name));
        parts.forget?.();
        fraction.set(0);
      }),
      awaitOther: fromPromise(({ signal }) => navigator.locks.request(name, { signal }, () => {})),
      worker: fromCallback<DeviceModelEvent>(client.run),
      otherTabs: fromCallback<DeviceModelEvent>(({ sendBack }) => {
        const tell = () => sendBack({ type: "storage.changed" });
        channel.addEventListener("message", tell);
        return () => channel.removeEventListener("message", tell);
      }),
      wakeUps: createWakeUps<DeviceModelEvent>(),
    },
    actions: {
      // Without persistence, the browser may delete the model when it needs the space.
      askForPersistence: () => void navigator.storage?.persist?.().catch(() => false),
      tellOtherTabs: () => channel.postMessage("changed"),
    },
  });
  const actor = createActor(machine, inspected()).start();
  return { actor, fraction, client };
}

/**
 * Fetches a file. Files of the page are public; files of the API need the session. Resolves even if the server refuses.
 */
async function ask(url: string, init: RequestInit): Promise<Response> {
  if (!url.startsWith("/api/")) return fetch(url, init);
  try {
    return await ownSend(url, init);
  } catch (error) {
    if (error instanceof ApiError && error.status > 0) return new Response(null, { status: error.status });
    throw error;
  }
}

/**
 * Runs one task of this tab at a time, and only while no other tab runs one. Otherwise the task rejects with
 * `elsewhere`.
 * @param lock the Web Lock of the tab that downloads or deletes
 */
function createQueue(lock: string) {
  let last: Promise<unknown> = Promise.resolve();
  return (task: () => Promise<void>): Promise<void> => {
    // A task that was aborted a moment ago still holds the lock.
    const done = last.then(() =>
      navigator.locks.request(lock, { ifAvailable: true }, async (held) => {
        if (held === null) throw new DeviceFailure("elsewhere");
        await task();
      }),
    );
    last = done.catch(() => {});
    return done;
  };
}
