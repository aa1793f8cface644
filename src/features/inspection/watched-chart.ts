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
  /** "after": a delay is over. "done", "failed": the end of something that runs. "always": nothing needs to happen. */
  kind: "event" | "after" | "done" | "failed" | "always";
  /** The event, the delay or what runs. */
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
  const named = (kind: "event" | "after", events: unknown) =>
    Object.entries(recordOf(events)).flatMap(([event, taken]) => transitions(kind, event, taken));
  const ends = listOf(config.invoke).flatMap((invoke) => {
    const { onDone, onError } = recordOf(invoke);
    return [...transitions("done", runOf(invoke), onDone), ...transitions("failed", runOf(invoke), onError)];
  });
  const all = [
    ...named("event", config.on),
    ...named("after", config.after),
    ...ends,
    ...transitions("always", "", config.always),
  ];
  // What differs in its actions alone looks the same.
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

/** "#upload.failed" and ".asking" without the marks that only XState needs. */
const targetName = (target: string): string => target.replace(/^[#.]/, "");

/** Of what is written as its name, or was a function with one. */
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

/** A snapshot's value on one line: "token: valid, refresh: idle". */
export function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  const parts = Object.entries(recordOf(value)).map(([key, inside]) =>
    recordOf(inside) === inside ? `${key} (${valueText(inside)})` : `${key}: ${inside}`,
  );
  return parts.join(", ");
}
