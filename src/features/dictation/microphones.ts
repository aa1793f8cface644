import { storage } from "#src/browser/storage.ts";
import { createStore } from "#src/browser/store.ts";

/** One microphone that may be chosen. */
export interface MicrophoneDevice {
  id: string;
  /** As the system calls it. */
  label: string;
}

const key = "microphone";
/** Chromium's names for what the system has chosen: the page offers that as its own first entry. */
const aliases = new Set(["default", "communications", ""]);
const found = createStore<readonly MicrophoneDevice[]>([]);

/** Before the person has allowed a microphone browsers tell nothing but that there is one. */
async function refresh(): Promise<void> {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  const inputs = devices.filter(({ kind, deviceId }) => kind === "audioinput" && !aliases.has(deviceId));
  const next = inputs.map(({ deviceId, label }) => ({ id: deviceId, label }));
  if (JSON.stringify(next) !== JSON.stringify(found.get())) found.set(next);
}

/** The microphones of this device, and the one that was chosen in this browser. */
export const microphones = {
  /** Those that are plugged in; empty until the person has allowed one. */
  get: found.get,
  /** Looks at once and whenever one is plugged in or out. @returns what ends it */
  subscribe(listener: () => void): () => void {
    const leaveStore = found.subscribe(listener);
    const leaveKey = storage.subscribe(key, listener);
    const stop = new AbortController();
    // Missing where the page is not reached by https.
    if ("mediaDevices" in navigator)
      navigator.mediaDevices.addEventListener("devicechange", () => void refresh(), { signal: stop.signal });
    void microphones.refresh();
    return () => {
      stop.abort();
      leaveStore();
      leaveKey();
    };
  },
  /** The person may just have allowed one. */
  async refresh(): Promise<void> {
    if ("mediaDevices" in navigator) await refresh();
  },
  /** Undefined: the system's own choice. One that is gone stays chosen, for when it is back. */
  chosen: (): string | undefined => storage.read(key) ?? undefined,
  choose(id: string | undefined): void {
    if (id === undefined) storage.remove(key);
    else storage.write(key, id);
  },
};
