import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition, InspectionEvent } from "xstate";
import { labelOf } from "#scripts/mermaid.ts";

/** The covered part of a machine. */
export interface Covered {
  states: Count;
  transitions: Count;
}
interface Count {
  walked: number;
  all: number;
  /** The missed transitions by name. */
  missed: string[];
}

const nodesOf = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(nodesOf)];
const transitionsOf = (node: AnyStateNode): AnyTransitionDefinition[] => [
  ...[...node.transitions.values()].flat(),
  ...(node.always ?? []),
];

/** Names every transition; the name is the same in a machine and in the result of its `provide`. */
function namesOf(machine: AnyStateMachine): Map<AnyTransitionDefinition, string> {
  const names = new Map<AnyTransitionDefinition, string>();
  const taken = new Set<string>();
  for (const transition of nodesOf(machine.root).flatMap(transitionsOf)) {
    const targets = transition.target?.map(({ id }) => id).join(", ") ?? "(stays)";
    const plain = `${transition.source.id}: ${labelOf(transition, machine)} → ${targets}`;
    let name = plain;
    for (let count = 2; taken.has(name); count++) name = `${plain} (${count})`;
    taken.add(name);
    names.set(transition, name);
  }
  return names;
}

/** Counts what live actors of a machine do. */
export class Coverage {
  readonly #machine: AnyStateMachine;
  readonly #states = new Set<string>();
  readonly #transitions = new Set<string>();
  readonly #fresh = new Set<string>();
  readonly #names = new WeakMap<AnyStateMachine, Map<AnyTransitionDefinition, string>>();

  constructor(machine: AnyStateMachine) {
    this.#machine = machine;
  }

  /** For `createActor`'s `inspect`; `provided` is the actor's machine. */
  observer(provided: AnyStateMachine): (event: InspectionEvent) => void {
    const names = this.#names.get(provided) ?? namesOf(provided);
    this.#names.set(provided, names);
    return (event) => {
      // Steps of its children are not its own.
      if (event.type !== "@xstate.microstep" || event.actorRef.sessionId !== event.rootId) return;
      for (const transition of event._transitions) {
        const name = names.get(transition);
        if (name === undefined) continue;
        this.#transitions.add(name);
        this.#fresh.add(name);
        // A state that is left at once is in no snapshot.
        this.#states.add(transition.source.id);
      }
      if ("_nodes" in event.snapshot && Array.isArray(event.snapshot._nodes)) {
        for (const { id } of event.snapshot._nodes) this.#states.add(String(id));
      }
    };
  }

  /** Names of the transitions that were walked since it was asked last. */
  take(): readonly string[] {
    const names = [...this.#fresh];
    this.#fresh.clear();
    return names;
  }

  result(): Covered {
    return {
      states: count(
        nodesOf(this.#machine.root).map(({ id }) => id),
        this.#states,
      ),
      transitions: count([...namesOf(this.#machine).values()], this.#transitions),
    };
  }
}

function count(all: readonly string[], seen: ReadonlySet<string>): Count {
  const missed = all.filter((name) => !seen.has(name));
  return { walked: all.length - missed.length, all: all.length, missed };
}
