import * as v from "valibot";

/** A machine's state as it is drawn. */
export interface ChartState {
  key: string;
  /** From the root, the root's own name left out. */
  path: readonly string[];
  isParallel: boolean;
  isFinal: boolean;
  /** What runs while it is active. */
  runs: readonly string[];
  transitions: readonly ChartTransition[];
  states: readonly ChartState[];
}

export interface ChartTransition {
  event: string;
  /** "" when there is none. */
  guard: string;
  /** Empty: the state is not left. */
  target: string;
}

const Config = v.record(v.string(), v.unknown());
type Config = v.InferOutput<typeof Config>;
const recordOf = (value: unknown): Config => (v.is(Config, value) ? value : {});
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
const Definition = v.pipe(v.string(), v.parseJson(), Config);

/** The chart that a machine's configuration describes; undefined for what is no machine. @param definition JSON, functions as `{type}` */
export function readChart(definition: string | undefined): ChartState | undefined {
  const config = v.safeParse(Definition, definition);
  if (!config.success || !("states" in config.output)) return undefined;
  return stateOf(String(config.output.id ?? ""), [], config.output);
}

function stateOf(key: string, path: readonly string[], config: Config): ChartState {
  return {
    ...{ key, path, isParallel: config.type === "parallel", isFinal: config.type === "final" },
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
  const named = (events: unknown, label: (event: string) => string) =>
    Object.entries(recordOf(events)).flatMap(([event, taken]) => (taken === undefined ? [] : transitions(label(event), taken)));
  const outcomes = listOf(config.invoke).flatMap((invoke) => {
    const { onDone, onError } = recordOf(invoke);
    return [...transitions(`${runOf(invoke)} ✓`, onDone), ...transitions(`${runOf(invoke)} ✗`, onError)];
  });
  const after = named(config.after, (delay) => `⏱ ${/^\d+$/.test(delay) ? `${delay} ms` : delay}`);
  const all = [...named(config.on, (event) => event), ...after, ...outcomes, ...transitions("", config.always)];
  const textOf = ({ event, guard, target }: ChartTransition) => `${event} ${guard} ${target}`;
  // What differs in its actions alone looks the same.
  return [...new Map(all.map((transition) => [textOf(transition), transition])).values()];
}

function transitions(event: string, taken: unknown): ChartTransition[] {
  return listOf(taken).map((transition) => {
    if (typeof transition === "string") return { event, guard: "", target: targetName(transition) };
    const { target, guard } = recordOf(transition);
    return {
      event,
      guard: nameOf(guard),
      target: listOf(target)
        .map((one) => targetName(String(one)))
        .join(", "),
    };
  });
}

/** "#upload.failed" and ".asking" without the marks that only XState needs. */
const targetName = (target: string): string => target.replace(/^[#.]/, "");

/** Of what is written as its name, or was a function with one. */
function nameOf(value: unknown): string {
  if (typeof value === "string") return value;
  const { type, id } = recordOf(value);
  const name = typeof type === "string" ? type : id;
  // An arrow function that stands in the chart is called after the property that holds it.
  return typeof name === "string" && name !== "guard" ? name : value === undefined ? "" : "…";
}

/** Whether a state is active in a snapshot's value ("valid", or `{ token: "valid", refresh: "idle" }`). */
export function isActive(value: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true;
  if (typeof value === "string") return value === first && rest.length === 0;
  const inside = recordOf(value);
  return first in inside && isActive(inside[first], rest);
}

/** A snapshot's value on one line: "token: valid, refresh: idle". */
export function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  const parts = Object.entries(recordOf(value)).map(([key, inside]) =>
    recordOf(inside) === inside ? `${key} (${valueText(inside)})` : `${key}: ${inside}`,
  );
  return parts.join(", ");
}
