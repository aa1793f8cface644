import type { Drawing } from "./drawing.ts";
import { type Happening, unfoldedPaths, type WatchedMachine } from "./rules.ts";

export interface InspectorContext {
  /** In order of creation. */
  machines: readonly WatchedMachine[];
  /** The session id of the chosen machine; without one, the first machine is shown. */
  wanted: string | undefined;
  /** The id of an event; undefined: the newest one. */
  step: number | undefined;
  /** By path: the states that the user opened or folded. */
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

/** The shown machine; undefined if there is none. */
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

/** The input of the layout; undefined without a machine. */
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

/** The drawing of the shown machine; undefined before the first one. Its open states may be outdated. */
export function selectDrawing({ context }: Snapshot): Drawing | undefined {
  const machine = selectMachine({ context });
  return machine !== undefined && context.drawn?.key.split("\n")[0] === machine.sessionId ? context.drawn.drawing : undefined;
}
