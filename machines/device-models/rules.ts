/** The memory of an unused model is given back after this time (ms). */
export const idleMs = 5 * 60_000;

/** Reasons why a browser can't store or run a model at all: no https, no Cache Storage, no WebAssembly with SIMD. */
export const unsupportedCodes: readonly string[] = ["notSecure", "noStorage", "noWasm"];

/** The phases of a model in order; in `running` and `idle` it is in memory. */
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
/** The phase that the card and the offer show (`device-models:phase.<name>`). */
export type DeviceModelPhase = (typeof phases)[number];
