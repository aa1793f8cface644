import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from "xstate";

// Draws a statechart as a Mermaid state diagram. Mermaid can't draw an arrow from a state to one inside it; such an
// arrow starts at a small box "anywhere in …". A transition without a target is a line in the state's box.

/** @returns the lines of a `stateDiagram-v2` */
export function mermaidOf(machine: AnyStateMachine): string {
  const inside = insideOf(machine.root, machine, "  ");
  // Mermaid supports compartments only within a box.
  const boxed = machine.root.type === "parallel" ? [`  state "${machine.id}" as machine {`, ...inside, "  }"] : inside;
  return ["stateDiagram-v2", ...boxed, ...arrowsOf(machine, "  ")].join("\n");
}

const childrenOf = (node: AnyStateNode): AnyStateNode[] => Object.values(node.states);
/** A unique name without dots and dashes, which have a meaning in Mermaid. */
const nameOf = (node: AnyStateNode): string => (node.parent === undefined ? "machine" : node.path.join("_"));
const transitionsOf = (node: AnyStateNode): AnyTransitionDefinition[] => [
  ...[...node.transitions.values()].flat(),
  ...(node.always ?? []),
];
const isInside = (node: AnyStateNode, other: AnyStateNode): boolean =>
  node !== other && other.path.every((key, index) => node.path[index] === key);

function insideOf(node: AnyStateNode, machine: AnyStateMachine, indent: string): string[] {
  const regions = childrenOf(node).map((child) => stateLines(child, machine, indent));
  const first = node.initial?.target?.[0];
  const start = first === undefined ? [] : [`${indent}[*] --> ${nameOf(first)}`];
  const anywhere = anywhereLines(node, machine, indent);
  // Regions of a parallel state are side by side, each in its own compartment.
  const body =
    node.type === "parallel"
      ? regions.flatMap((lines, index) => (index === 0 ? lines : [`${indent}--`, ...lines]))
      : regions.flat();
  return [...start, ...anywhere, ...body];
}

function stateLines(node: AnyStateNode, machine: AnyStateMachine, indent: string): string[] {
  const name = nameOf(node);
  const notes = notesOf(node, machine);
  if (childrenOf(node).length === 0) {
    const end = node.type === "final" ? [`${indent}${name} --> [*]`] : [];
    return [`${indent}state ${quoted([node.key, ...notes])} as ${name}`, ...end];
  }
  return [`${indent}state ${quoted([node.key, ...notes])} as ${name} {`, ...insideOf(node, machine, `${indent}  `), `${indent}}`];
}

/** Transitions that don't leave the state. */
function notesOf(node: AnyStateNode, machine: AnyStateMachine): string[] {
  const internal = transitionsOf(node).filter((transition) => transition.target === undefined);
  return [
    ...node.invoke.map(({ src }) => `runs ${sourceName(src)}`),
    ...internal.map((transition) => `on ${labelOf(transition, machine)}`),
  ].filter((line, index, all) => all.indexOf(line) === index);
}

const downwards = (node: AnyStateNode): AnyTransitionDefinition[] =>
  transitionsOf(node).filter((transition) => transition.target?.some((target) => isInside(target, node)));

function anywhereLines(node: AnyStateNode, machine: AnyStateMachine, indent: string): string[] {
  const notes = node.parent === undefined ? notesOf(node, machine) : [];
  const down = downwards(node);
  if (notes.length === 0 && down.length === 0) return [];
  const name = `${nameOf(node)}_anywhere`;
  return [`${indent}state ${quoted([`anywhere in ${node.key}`, ...notes])} as ${name}`, ...arrows(name, down, machine, indent)];
}

function arrowsOf(machine: AnyStateMachine, indent: string): string[] {
  const walk = (node: AnyStateNode): string[] => [
    ...(node.parent === undefined ? [] : ownArrows(node, machine, indent)),
    ...childrenOf(node).flatMap(walk),
  ];
  return walk(machine.root);
}

function ownArrows(node: AnyStateNode, machine: AnyStateMachine, indent: string): string[] {
  const down = new Set(downwards(node));
  const across = transitionsOf(node).filter((transition) => !down.has(transition));
  return arrows(nameOf(node), across, machine, indent);
}

/** One arrow for each target; transitions to the same target share it. */
function arrows(from: string, taken: readonly AnyTransitionDefinition[], machine: AnyStateMachine, indent: string): string[] {
  const labels = new Map<string, string[]>();
  for (const transition of taken) {
    for (const target of transition.target ?? []) {
      labels.set(nameOf(target), [...(labels.get(nameOf(target)) ?? []), labelOf(transition, machine)]);
    }
  }
  return [...labels].map(([target, lines]) => `${indent}${from} --> ${target}: ${lines.map(escaped).join("<br/>")}`);
}

/** The label of a transition: "event [guard]", in readable words. */
export function labelOf(transition: AnyTransitionDefinition, machine: AnyStateMachine): string {
  const guard = transition.guard === undefined ? "" : `[${guardName(transition.guard)}]`;
  const event = eventName(transition, machine);
  if (event !== "") return [event, guard].filter((part) => part !== "").join(" ");
  return guard === "" ? "otherwise" : guard;
}

/** Outcomes of an invoked actor, by XState's events. */
const outcomes: Readonly<Record<string, string>> = {
  "done.actor": "succeeded",
  "error.actor": "failed",
  snapshot: "changed",
};

/** The name of a transition's event; "" when the transition is taken at once. */
function eventName({ eventType, source }: AnyTransitionDefinition, machine: AnyStateMachine): string {
  const after = source.after.find((transition) => transition.eventType === eventType);
  if (after !== undefined) return `after ${delayName(after.delay, machine)}`;
  const [, kind = "", id] = /^xstate\.(done\.actor|error\.actor|snapshot)\.(.+)$/.exec(eventType) ?? [];
  const outcome = outcomes[kind];
  if (outcome === undefined) return eventType;
  const actor = source.invoke.find((invoked) => invoked.id === id);
  return `${actor === undefined ? id : sourceName(actor.src)} ${outcome}`;
}

function delayName(delay: unknown, machine: AnyStateMachine): string {
  if (typeof delay === "number") return duration(delay);
  const given: unknown = machine.implementations.delays[String(delay)];
  return typeof given === "number" ? `${delay} (${duration(given)})` : String(delay);
}

const duration = (ms: number): string => (ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`);
const sourceName = (src: unknown): string =>
  typeof src === "string" ? src.replace(/^xstate\.invoke\..*$/, "an actor") : "an actor";

function guardName(guard: unknown): string {
  if (typeof guard === "string") return guard;
  if (typeof guard === "object" && guard !== null && "type" in guard) return String(guard.type);
  if (typeof guard !== "function") return "a condition";
  const parts = "guards" in guard && Array.isArray(guard.guards) ? guard.guards.map(guardName) : [];
  if (parts.length > 0) return parts.length === 1 ? `not ${parts[0]}` : parts.join(guard.name === "or" ? " or " : " and ");
  // The text of a condition in the chart itself, without its parameters.
  return String(guard)
    .replace(/^.*?=>\s*/, "")
    .replaceAll("event.output.", "")
    .replaceAll("context.", "")
    .replaceAll("===", "is");
}

/** Escapes quotes, semicolons and hashes, which have a meaning in Mermaid. */
const escaped = (text: string): string =>
  text.replaceAll("#", "#35;").replaceAll('"', "#quot;").replaceAll("<", "#lt;").replaceAll(">", "#gt;");
const quoted = (lines: readonly string[]): string => `"${lines.map(escaped).join("<br/>")}"`;
