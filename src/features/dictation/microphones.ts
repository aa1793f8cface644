import { storage } from "#src/browser/storage.ts";
import { createStore } from "#src/browser/store.ts";

/** A selectable microphone. */
interface MicrophoneDevice {
  id: string;
  /** The system's label. */
  label: string;
}

const key = "microphone";
/** Chromium's ids for the system's default devices. The page shows the default as its own first entry. */
const aliases = new Set(["default", "communications", ""]);
const found = createStore<readonly MicrophoneDevice[]>([]);

/** Before permission is granted, browsers reveal only that a microphone exists. */
async function refresh(): Promise<void> {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  const inputs = devices.filter(({ kind, deviceId }) => kind === "audioinput" && !aliases.has(deviceId));
  const next = inputs.map(({ deviceId, label }) => ({ id: deviceId, label }));
  if (JSON.stringify(next) !== JSON.stringify(found.get())) found.set(next);
}

/** The microphones of this device, and the one selected in this browser. */
export const microphones = {
  /** The connected microphones; empty until permission is granted. */
  get: found.get,
  /** Lists the microphones now and after every device change. @returns a function that stops it */
  subscribe(listener: () => void): () => void {
    const leaveStore = found.subscribe(listener);
    const leaveKey = storage.subscribe(key, listener);
    const stop = new AbortController();
    // `mediaDevices` is missing in insecure contexts (without https), and in browsers without microphone access.
    navigator.mediaDevices?.addEventListener("devicechange", () => void refresh(), { signal: stop.signal });
    void microphones.refresh();
    return () => {
      stop.abort();
      leaveStore();
      leaveKey();
    };
  },
  /** Lists the microphones again. Permission may have been granted since. */
  async refresh(): Promise<void> {
    if (navigator.mediaDevices) await refresh();
  },
  /** The selected device id. Undefined: the system's default. A disconnected one stays selected until it is back. */
  chosen: (): string | undefined => storage.read(key) ?? undefined,
  choose(id: string | undefined): void {
    if (id === undefined) storage.remove(key);
    else storage.write(key, id);
  },
};
