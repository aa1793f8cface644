import type { RecorderContext } from "./events.ts";
import { recorderSetup } from "./implementations.ts";

/** What the browser could not store is in the page's memory only. */
export const holdIfMemoryOnly = {
  src: "leaving",
  input: ({ context }: { context: RecorderContext }) => ({ isAtRisk: context.storageTrouble }),
} as const;

/** No speech was recognized: the person keeps the recording, or discards it. */
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

/** It is recognized, and nothing of it has left this device: the person saves it, or throws it away. */
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
