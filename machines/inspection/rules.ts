// Live machines as data, and which of their states are drawn with their insides.

/** A machine's state as drawn in the chart. */
export interface ChartState {
  key: string;
  /** The path from the root, without the root's own name. */
  path: readonly string[];
  isParallel: boolean;
  isFinal: boolean;
  /** The key of its initial state; "" if it has none. */
  initial: string;
  /** Names of the actions on entering and on leaving. */
  entry: readonly string[];
  exit: readonly string[];
  /** Actors invoked while it is active. */
  runs: readonly string[];
  transitions: readonly ChartTransition[];
  states: readonly ChartState[];
}

export interface ChartTransition {
  /** Unique among the state's: XState's event descriptor, and the place among those with the same one. */
  id: string;
  /** "after": a delay. "done", "failed": the end of an invoked actor. "always": an eventless transition. */
  kind: "event" | "after" | "done" | "failed" | "always";
  /** The event, the delay or the actor. */
  event: string;
  /** "" without a guard. */
  guard: string;
  actions: readonly string[];
  /**
   * The target as written in the machine's file, without XState's prefixes. Empty: the transition stays in its state.
   */
  target: string;
  /** Paths of the states that it leads to; empty: it stays in its state. */
  targets: readonly (readonly string[])[];
}

/** A state's path as one string: the key under which it is unfolded, and drawn. The root's is "". */
export const pathKey = (path: readonly string[]): string => path.join(".");

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

/** Whether a state is active in a snapshot's value ("valid", or `{ token: "valid", refresh: "idle" }`). */
export function isActive(value: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true;
  if (typeof value === "string") return value === first && rest.length === 0;
  const inside = recordOf(value);
  return first in inside && isActive(inside[first], rest);
}

/** Every state, the root first. */
export const statesOf = (chart: ChartState): readonly ChartState[] => [chart, ...chart.states.flatMap(statesOf)];

/** Whether a state's name, or anything that it hears or does, has the term (lower case) in it. */
export function matches({ key, runs, entry, exit, transitions }: ChartState, term: string): boolean {
  if (term === "") return false;
  const heard = transitions.flatMap(({ event, guard, actions }) => [event, guard, ...actions]);
  return [key, ...runs, ...entry, ...exit, ...heard].some((text) => text.toLowerCase().includes(term));
}

export interface Unfolding {
  value: unknown;
  /** By path: the states that the user opened or folded. */
  chosen: Readonly<Record<string, boolean>>;
  /** Lower case; "" finds nothing. */
  term: string;
}

/**
 * Paths of the states that are drawn with their children: the active ones, those that the user opened, and the
 * ancestors of found states.
 */
export function unfoldedPaths(chart: ChartState, { value, chosen, term }: Unfolding): readonly string[] {
  const all = statesOf(chart);
  const found = all.filter((state) => matches(state, term)).map(({ path }) => `${pathKey(path)}.`);
  const isUnfolded = ({ path, states }: ChartState): boolean => {
    if (states.length === 0) return false;
    if (path.length === 0) return true;
    const key = pathKey(path);
    if (found.some((inside) => inside.startsWith(`${key}.`) && inside !== `${key}.`)) return true;
    return chosen[key] ?? isActive(value, path);
  };
  return all.filter(isUnfolded).map(({ path }) => pathKey(path));
}

/** A transition as it is named in every drawing: its state and its place among that state's. */
export const transitionKey = (path: readonly string[], id: string): string => `${pathKey(path)}|${id}`;

/** An event of a machine, with the state after it. */
export interface Happening {
  /** A stable key for lists. */
  id: number;
  /** "" for its creation. */
  type: string;
  /** The sanitised event. */
  event: unknown;
  value: unknown;
  context: unknown;
  /** Epoch ms. */
  at: number;
  /** The id for sending it again; undefined for the machine's internal events. */
  replay: number | undefined;
  /** The transitions that it took (`transitionKey`). */
  taken: readonly string[];
}

export interface WatchedMachine {
  sessionId: string;
  name: string;
  chart: ChartState;
  isRunning: boolean;
  /** At least its creation; the newest last. */
  happenings: readonly [Happening, ...Happening[]];
}
