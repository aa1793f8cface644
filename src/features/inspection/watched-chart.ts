import * as v from "valibot";
import type { ChartState, ChartTransition } from "#machines/inspection/rules.ts";

const Config = v.record(v.string(), v.unknown());
type Config = v.InferOutput<typeof Config>;
const recordOf = (value: unknown): Config => (v.is(Config, value) ? value : {});
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
const Definition = v.pipe(v.string(), v.parseJson(), Config);

/** Context for reading a state's configuration: its path, and every state's path by XState's id. */
interface Place {
  path: readonly string[];
  ids: ReadonlyMap<string, readonly string[]>;
  /** The id of the root. */
  machineId: string;
}

/**
 * The chart of a machine's configuration; undefined for other logic.
 * @param definition JSON, with functions as `{type}`
 */
export function readChart(definition: string | undefined): ChartState | undefined {
  const config = v.safeParse(Definition, definition);
  if (!config.success || !("states" in config.output)) return undefined;
  const machineId = String(config.output.id ?? "");
  return stateOf(machineId, config.output, { path: [], ids: new Map(idsOf(config.output, [], machineId)), machineId });
}

function idsOf(config: Config, path: readonly string[], machineId: string): [string, readonly string[]][] {
  const inside = Object.entries(recordOf(config.states)).flatMap(([key, state]) =>
    idsOf(recordOf(state), [...path, key], machineId),
  );
  return [[idOf(config, path, machineId), path], ...inside];
}

const idOf = (config: Config, path: readonly string[], machineId: string): string =>
  typeof config.id === "string" ? config.id : [machineId, ...path].join(".");

function stateOf(key: string, config: Config, place: Place): ChartState {
  const { path } = place;
  return {
    key,
    path,
    isParallel: config.type === "parallel",
    isFinal: config.type === "final",
    initial: typeof config.initial === "string" ? config.initial : "",
    entry: actionsOf(config.entry),
    exit: actionsOf(config.exit),
    runs: listOf(config.invoke).map(runOf),
    transitions: transitionsOf(config, place),
    states: Object.entries(recordOf(config.states)).map(([name, state]) =>
      stateOf(name, recordOf(state), { ...place, path: [...path, name] }),
    ),
  };
}

function runOf(invoke: unknown): string {
  const { src, id } = recordOf(invoke);
  return nameOf(src) || nameOf(id);
}

const actionsOf = (actions: unknown): string[] =>
  listOf(actions)
    .map(nameOf)
    .filter((name) => name !== "");

/** In XState's order, so that the descriptor and index of a transition from another page find it here. */
function transitionsOf(config: Config, place: Place): ChartTransition[] {
  const id = idOf(config, place.path, place.machineId);
  const taken = new Map<string, number>();
  const read = (kind: ChartTransition["kind"], event: string, descriptor: string, value: unknown) =>
    listOf(value).map((transition): ChartTransition => {
      const index = taken.get(descriptor) ?? 0;
      taken.set(descriptor, index + 1);
      const { target, guard, actions } = typeof transition === "string" ? { target: transition } : recordOf(transition);
      const targets = listOf(target).map(String);
      return {
        id: `${descriptor}/${index}`,
        kind,
        event,
        guard: nameOf(guard),
        actions: actionsOf(actions),
        target: targets.map((one) => one.replace(/^[#.]/, "")).join(", "),
        targets: targets.map((one) => pathOf(one, place)),
      };
    });
  const events = Object.entries(recordOf(config.on)).flatMap(([event, value]) => read("event", event, event, value));
  const end = read("done", "", `xstate.done.state.${id}`, config.onDone);
  const ends = listOf(config.invoke).flatMap((invoke, index) => {
    const { id: ownId, onDone, onError, onSnapshot } = recordOf(invoke);
    const run = runOf(invoke);
    const actor = typeof ownId === "string" ? ownId : `${index}.${id}`;
    return [
      ...read("done", run, `xstate.done.actor.${actor}`, onDone),
      ...read("failed", run, `xstate.error.actor.${actor}`, onError),
      ...read("event", `xstate.snapshot.${run}`, `xstate.snapshot.${actor}`, onSnapshot),
    ];
  });
  const delays = Object.entries(recordOf(config.after)).flatMap(([delay, value]) =>
    read("after", delay, `xstate.after.${delay}.${id}`, value),
  );
  return [...events, ...end, ...delays, ...ends, ...read("always", "", "always", config.always)];
}

/** The path of a target as written in a configuration: "#upload.failed", ".asking" or "valid". */
function pathOf(target: string, { path, ids }: Place): readonly string[] {
  if (target.startsWith(".")) return [...path, ...target.slice(1).split(".")];
  if (!target.startsWith("#")) return [...path.slice(0, -1), ...target.split(".")];
  const parts = target.slice(1).split(".");
  for (let length = parts.length; length > 0; length--) {
    const found = ids.get(parts.slice(0, length).join("."));
    if (found !== undefined) return [...found, ...parts.slice(length)];
  }
  return parts.slice(1);
}

/** A name, or the name of a named function. */
function nameOf(value: unknown): string {
  if (typeof value === "string") return value;
  const { type } = recordOf(value);
  return typeof type === "string" ? type : "";
}

/**
 * A snapshot's value on one line, in the chart's order: "token: valid, refresh: idle". The channel has sorted the value
 * by name.
 */
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
