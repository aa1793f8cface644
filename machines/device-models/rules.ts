/** The memory of an unused model is given back after this time (ms). */
export const idleMs = 5 * 60_000;

/** Reasons for which a browser can't keep or run a model at all: no https, no Cache Storage, no WebAssembly with SIMD. */
export const unsupportedCodes: readonly string[] = ["notSecure", "noStorage", "noWasm"];

/** In the order in which a model goes through them; `running` and `idle` have it in memory. */
export const phases = [
  "checking",
  "unsupported",
  "absent",
  "fetching",
  "waiting",
  "paused",
  "elsewhere",
  "verifying",
  "ready",
  "loading",
  "running",
  "idle",
  "failed",
  "deleting",
] as const;
/** What the card and the offer show (`device-models:phase.<name>`). */
export type DeviceModelPhase = (typeof phases)[number];
