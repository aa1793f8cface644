import type { RecorderContext } from "./events.ts";
import { recorderSetup } from "./implementations.ts";

/** Audio that the browser could not store is only in the page's memory. */
export const holdIfMemoryOnly = {
  src: "leaving",
  input: ({ context }: { context: RecorderContext }) => ({ isAtRisk: context.storageTrouble }),
} as const;

/** No speech was recognized: the person saves or discards the recording. */
export const nothingHeard = recorderSetup.createStateConfig({
  tags: "nothingHeard",
  entry: "emitMissed",
  invoke: holdIfMemoryOnly,
  on: {
    "keep.requested": [
      { guard: "staysHere", target: "#finishing", actions: ["allowSending", "noteAllowed", "askNothing"] },
      { target: "#working.saving" },
    ],
    "discard.requested": "#dictation.discarding",
    "reset.requested": "#dictation.checking",
  },
});

/** The recording is recognized and still only on this device: the person saves or discards it. */
export const kept = recorderSetup.createStateConfig({
  tags: "kept",
  invoke: holdIfMemoryOnly,
  initial: "resting",
  on: {
    "save.requested": { target: "#finishing", actions: ["allowSending", "noteAllowed"] },
    "reset.requested": "#dictation.checking",
  },
  states: {
    resting: { on: { "discard.requested": "asking" } },
    asking: { on: { "discard.confirmed": "#dictation.discarding", "discard.dismissed": "resting" } },
  },
});
