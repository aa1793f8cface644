import type { Drawing } from "./drawing.ts";
import { type Happening, unfoldedPaths, type WatchedMachine } from "./rules.ts";

export interface InspectorContext {
  /** In order of creation. */
  machines: readonly WatchedMachine[];
  /** The session id of the machine that somebody has chosen; the first one stands in for it. */
  wanted: string | undefined;
  /** Of an event of it; undefined: the newest. */
  step: number | undefined;
  /** By path: what was opened or folded by hand. */
  chosen: Readonly<Record<string, boolean>>;
  /** Searched for, in lower case. */
  term: string;
  /** The structure that was last asked for (`layoutKey`). */
  requested: string;
  /** The latest drawing, with what it is of. */
  drawn: { key: string; drawing: Drawing } | undefined;
  /** Why the last layout failed: an error code. */
  error: string | null;
}

interface Snapshot {
  context: InspectorContext;
}

export const selectMachines = ({ context }: Snapshot): readonly WatchedMachine[] => context.machines;
export const selectTerm = ({ context }: Snapshot): string => context.term;
export const selectLayoutError = ({ context }: Snapshot): string | null => context.error;

/** The machine that is shown; undefined when there is none. */
export const selectMachine = ({ context }: Snapshot): WatchedMachine | undefined =>
  context.machines.find(({ sessionId }) => sessionId === context.wanted) ?? context.machines[0];

/** The place of the event that is shown among the machine's; -1 without a machine. */
export function selectStep({ context }: Snapshot): number {
  const happenings = selectMachine({ context })?.happenings ?? [];
  const found = happenings.findIndex(({ id }) => id === context.step);
  return found < 0 ? happenings.length - 1 : found;
}

export const selectHappening = ({ context }: Snapshot): Happening | undefined =>
  selectMachine({ context })?.happenings[selectStep({ context })];

/** What is to be drawn; undefined without a machine. */
export function selectLayoutInput({ context }: Snapshot) {
  const machine = selectMachine({ context });
  const happening = selectHappening({ context });
  if (machine === undefined || happening === undefined) return undefined;
  const { chosen, term } = context;
  return { chart: machine.chart, unfolded: unfoldedPaths(machine.chart, { value: happening.value, chosen, term }) };
}

/** The structure of a drawing: the machine and the states that are open. "" without a machine. */
export function layoutKey(context: InspectorContext): string {
  const input = selectLayoutInput({ context });
  return input === undefined ? "" : [selectMachine({ context })?.sessionId, ...input.unfolded].join("\n");
}

/** The drawing of the machine that is shown; undefined before its first one. It may have other states open than it will have. */
export function selectDrawing({ context }: Snapshot): Drawing | undefined {
  const machine = selectMachine({ context });
  return machine !== undefined && context.drawn?.key.split("\n")[0] === machine.sessionId ? context.drawn.drawing : undefined;
}
