import type { Drawing } from "#machines/inspection/drawing.ts";
import type { ChartState, ChartTransition, Happening, WatchedMachine } from "#machines/inspection/rules.ts";

const transition = (event: string, target: readonly string[]): ChartTransition => ({
  id: `${event}/0`,
  kind: "event",
  event,
  guard: "",
  actions: [],
  target: target.join("."),
  targets: [target],
});

export function chartState(path: readonly string[], parts: Partial<ChartState> = {}): ChartState {
  const state = { key: path.at(-1) ?? "door", path, isParallel: false, isFinal: false, initial: "" };
  return { ...state, entry: [], exit: [], runs: [], transitions: [], states: [], ...parts };
}

/** A door: `closed` (`locked`, `unlocked`) and `open` (`ajar`, `wide`). */
export const door = chartState([], {
  initial: "closed",
  states: [
    chartState(["closed"], {
      initial: "locked",
      states: [
        chartState(["closed", "locked"], { transitions: [transition("key.turned", ["closed", "unlocked"])] }),
        chartState(["closed", "unlocked"], { transitions: [transition("handle.pressed", ["open", "ajar"])] }),
      ],
    }),
    chartState(["open"], {
      initial: "ajar",
      states: [chartState(["open", "ajar"], { runs: ["draught"] }), chartState(["open", "wide"])],
    }),
  ],
});

const happening = (id: number, value: unknown, type = ""): Happening => ({
  id,
  type,
  event: { type },
  value,
  context: {},
  at: 0,
  replay: undefined,
  taken: [],
});

export const watched = (sessionId: string, ...happenings: WatchedMachine["happenings"]): WatchedMachine => ({
  sessionId,
  name: "door",
  chart: door,
  isRunning: true,
  happenings,
});

export const locked = happening(1, { closed: "locked" });
export const unlocked = happening(2, { closed: "unlocked" }, "key.turned");
export const ajar = happening(3, { open: "ajar" }, "handle.pressed");

export const drawing: Drawing = { width: 100, height: 50, states: [], starts: [], anywheres: [], arrows: [] };
