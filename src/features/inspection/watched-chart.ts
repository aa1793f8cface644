import * as v from "valibot";

/** A machine's state as drawn in the chart. */
export interface ChartState {
  key: string;
  /** The path from the root, without the root's own name. */
  path: readonly string[];
  isParallel: boolean;
  isFinal: boolean;
  /** Actors invoked while it is active. */
  runs: readonly string[];
  transitions: readonly ChartTransition[];
  states: readonly ChartState[];
}

export interface ChartTransition {
  /** "after": a delay. "done", "failed": the end of an invoked actor. "always": an eventless transition. */
  kind: "event" | "after" | "done" | "failed" | "always";
  /** The event, the delay or the actor. */
  event: string;
  /** "" when there is none. */
  guard: string;
  /** Empty: the transition stays in its state. */
  target: string;
}

const Config = v.record(v.string(), v.unknown());
type Config = v.InferOutput<typeof Config>;
const recordOf = (value: unknown): Config => (v.is(Config, value) ? value : {});
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
const Definition = v.pipe(v.string(), v.parseJson(), Config);

/** The chart of a machine's configuration; undefined for other logic. @param definition JSON, functions as `{type}` */
export function readChart(definition: string | undefined): ChartState | undefined {
  const config = v.safeParse(Definition, definition);
  if (!config.success || !("states" in config.output)) return undefined;
  return stateOf(String(config.output.id ?? ""), [], config.output);
}

function stateOf(key: string, path: readonly string[], config: Config): ChartState {
  return {
    key,
    path,
    isParallel: config.type === "parallel",
    isFinal: config.type === "final",
    runs: listOf(config.invoke).map(runOf),
    transitions: transitionsOf(config),
    states: Object.entries(recordOf(config.states)).map(([name, state]) => stateOf(name, [...path, name], recordOf(state))),
  };
}

function runOf(invoke: unknown): string {
  const { src, id } = recordOf(invoke);
  return nameOf(src) || nameOf(id);
}

function transitionsOf(config: Config): ChartTransition[] {
  const named = (kind: "event" | "after", events: unknown) =>
    Object.entries(recordOf(events)).flatMap(([event, taken]) => transitions(kind, event, taken));
  const ends = listOf(config.invoke).flatMap((invoke) => {
    const { onDone, onError, onSnapshot } = recordOf(invoke);
    const run = runOf(invoke);
    return [
      ...transitions("done", run, onDone),
      ...transitions("failed", run, onError),
      ...transitions("event", `xstate.snapshot.${run}`, onSnapshot),
    ];
  });
  const all = [
    ...named("event", config.on),
    ...named("after", config.after),
    ...ends,
    ...transitions("always", "", config.always),
  ];
  // Transitions that differ only in their actions look the same.
  return [...new Map(all.map((transition) => [JSON.stringify(transition), transition])).values()];
}

function transitions(kind: ChartTransition["kind"], event: string, taken: unknown): ChartTransition[] {
  return listOf(taken).map((transition) => {
    if (typeof transition === "string") return { kind, event, guard: "", target: targetName(transition) };
    const { target, guard } = recordOf(transition);
    const targets = listOf(target).map((one) => targetName(String(one)));
    return { kind, event, guard: nameOf(guard), target: targets.join(", ") };
  });
}

/** "#upload.failed" and ".asking" without XState's prefixes. */
const targetName = (target: string): string => target.replace(/^[#.]/, "");

/** The name of something given by name, or of a named function. */
function nameOf(value: unknown): string {
  if (typeof value === "string") return value;
  const { type } = recordOf(value);
  return typeof type === "string" ? type : "";
}

/** Whether a state is active in a snapshot's value ("valid", or `{ token: "valid", refresh: "idle" }`). */
export function isActive(value: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true;
  if (typeof value === "string") return value === first && rest.length === 0;
  const inside = recordOf(value);
  return first in inside && isActive(inside[first], rest);
}

/** A snapshot's value on one line, in the chart's order: "token: valid, refresh: idle". On its way the value was sorted by name. */
export function valueText(value: unknown, chart?: ChartState): string {
  if (typeof value === "string") return value;
  const states = chart?.states ?? [];
  const at = (name: string) => states.findIndex(({ key }) => key === name);
  const parts = Object.entries(recordOf(value))
    .toSorted(([one], [other]) => at(one) - at(other))
    .map(([key, inside]) => {
      if (recordOf(inside) !== inside) return `${key}: ${inside}`;
      return `${key} (${valueText(inside, states[at(key)])})`;
    });
  return parts.join(", ");
}
