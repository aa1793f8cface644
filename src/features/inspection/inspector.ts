import { createBrowserInspector, type StatelyInspectionEvent } from "@statelyai/inspect";
import * as v from "valibot";
import type { ActorRefLike, AnyEventObject, InspectionEvent, Observer } from "xstate";
import { ChannelMessage, channelName } from "./channel.ts";
import { withoutSecrets } from "./privacy.ts";
import { createSteps } from "./steps.ts";

/** Our own inspector page, or Stately's. */
export type InspectionMode = "own" | "stately";

/** Kept for inspectors that are opened later: the last events of each machine, and machines, of which those that ended go first. */
const [maxKept, maxMachines] = [200, 200];
/** Events that can be sent again. */
const maxReplays = 500;
/** Events of all actors until Stately's inspector has loaded. */
const maxDeferredEvents = 2_000;

const Record = v.record(v.string(), v.unknown());
const recordOf = (value: unknown): Record<string, unknown> => (v.is(Record, value) ? value : {});

/** An event's shape, and its number if it can be sent again. */
function sanitizeEvent(event: AnyEventObject, replay?: number): AnyEventObject {
  return { ...recordOf(withoutSecrets(event)), type: event.type, ...(replay === undefined ? {} : { replay }) };
}

const sanitizeContext = (context: unknown): Record<string, unknown> => recordOf(withoutSecrets(context));

/** An inspection event with sanitised data only: a promise's input and output are no context, and would pass unsanitised. */
function onlySanitized(event: StatelyInspectionEvent): StatelyInspectionEvent {
  if (event.type === "@xstate.event") return event;
  const { status, value, context } = recordOf(event.snapshot);
  const snapshot = { status, value, context: sanitizeContext(context) };
  // `snapshot` is typed as XState's own, of which an inspector needs these three properties.
  return { ...event, snapshot: JSON.parse(JSON.stringify(snapshot)) };
}

/** Sanitises events for `createInspector` and similar inspectors. */
export const safely = {
  sanitizeContext,
  sanitizeEvent: (event: AnyEventObject) => sanitizeEvent(event),
  serialize: onlySanitized,
};

/** A machine's configuration with its states in order, and functions as `{type}`; undefined for other logic. */
export function definitionOf(actor: object | undefined): string | undefined {
  if (actor === undefined || !("logic" in actor) || !v.is(v.looseObject({ config: v.looseObject({}) }), actor.logic))
    return undefined;
  return JSON.stringify(actor.logic.config, (_, value: unknown) =>
    typeof value === "function" ? { type: functionName(value) } : value,
  );
}

/** The operands of `and`, `or` and `not`, and what XState calls its own actions; the names of other functions are lost in the build. */
function functionName(value: object): string {
  if ("guards" in value && Array.isArray(value.guards)) {
    const parts = value.guards.map((part) => (typeof part === "string" ? part : "…"));
    return parts.length === 1 ? `¬ ${parts[0]}` : parts.join(" + ");
  }
  return "type" in value && typeof value.type === "string" ? value.type.replace(/^xstate\./, "") : "…";
}

const Definition = v.pipe(v.string(), v.parseJson(), v.looseObject({ id: v.string(), states: v.looseObject({}) }));

/** An actor under its machine's name and with its chart, as the diagrams have them: what is spawned has an id of its own. */
function described(event: StatelyInspectionEvent, actor: object | undefined): StatelyInspectionEvent {
  if (event.type !== "@xstate.actor") return event;
  const definition = definitionOf(actor);
  const machine = v.safeParse(Definition, definition);
  return machine.success ? { ...event, name: machine.output.id, definition } : event;
}

/** Inspects every actor that is created from now on. @param opens whether to open our own page at once; Stately's is always opened */
export function attachInspector(mode: InspectionMode, { opens }: { opens: boolean }): Observer<InspectionEvent> {
  const actors = new Map<string, ActorRefLike>();
  const serialize = (event: StatelyInspectionEvent) => described(onlySanitized(event), actors.get(event.sessionId));
  const broadcast = mode === "own" ? createBroadcast(actors) : undefined;
  const inspector = createBrowserInspector(
    broadcast === undefined
      ? { ...safely, serialize, maxDeferredEvents }
      : { ...safely, serialize, autoStart: false, ...broadcast.options },
  );
  if (broadcast !== undefined) {
    if (opens) window.open("/debug/machines", channelName);
    console.info("The machines can be watched at", new URL("/debug/machines", location.href).href);
  }
  return {
    next: (event) => {
      if (event.type === "@xstate.actor") actors.set(event.actorRef.sessionId, event.actorRef);
      broadcast?.note(event);
      inspector.inspect.next?.(event);
    },
  };
}

/** A machine of this page, as an inspector that is opened later gets to know it. */
interface Watched {
  made: StatelyInspectionEvent;
  happened: StatelyInspectionEvent[];
  isRunning: boolean;
}

/** Forwards the machines' events to inspectors, and sends them again on request. @param actors of this page, by session id */
function createBroadcast(actors: ReadonlyMap<string, ActorRefLike>) {
  const page = crypto.randomUUID().slice(0, 8);
  const channel = new BroadcastChannel(channelName);
  const post = (message: ChannelMessage) => channel.postMessage(message);
  const forward = (event: StatelyInspectionEvent) => {
    const parent = "parentId" in event && event.parentId ? { parentId: `${page} ${event.parentId}` } : {};
    const taken = "taken" in event ? event.taken : [];
    post({ kind: "event", page, event: { ...event, ...parent, taken, sessionId: `${page} ${event.sessionId}` } });
  };
  const watched = new Map<string, Watched>();
  const numbers = new WeakMap<object, number>();
  const events = new Map<number, AnyEventObject>();
  const steps = createSteps();
  let count = 0;

  channel.addEventListener("message", ({ data }) => {
    const message = v.safeParse(ChannelMessage, data);
    if (!message.success) return;
    if (message.output.kind === "watching") {
      for (const { made, happened } of watched.values()) for (const event of [made, ...happened]) forward(event);
    } else if (message.output.kind === "replay") {
      const { sessionId, number } = message.output;
      const event = events.get(number);
      const [theirs, id = ""] = sessionId.split(" ");
      if (event !== undefined && theirs === page) actors.get(id)?.send(event);
    }
  });
  addEventListener("pagehide", () => post({ kind: "gone", page }));

  return {
    /** Internal events of XState can't be sent again. */
    note(event: InspectionEvent): void {
      steps.note(event);
      if (event.type !== "@xstate.snapshot" || event.event.type.startsWith("xstate.")) return;
      count += 1;
      numbers.set(event.event, count);
      events.set(count, event.event);
      events.delete(count - maxReplays);
    },
    options: {
      sanitizeEvent: (event: AnyEventObject) => sanitizeEvent(event, numbers.get(event)),
      send: (event: StatelyInspectionEvent) => {
        const stepped = event.type === "@xstate.snapshot" ? { ...event, taken: steps.takenBy(event.sessionId) } : event;
        if (keep(watched, stepped)) forward(stepped);
      },
    },
  };
}

/** Keeps what an inspector has to know. @returns false for what it can't draw: promises, callbacks, and messages on their way */
function keep(watched: Map<string, Watched>, event: StatelyInspectionEvent): boolean {
  if (event.type === "@xstate.actor") {
    if (!v.is(Definition, event.definition)) return false;
    const ended = watched.size < maxMachines ? undefined : [...watched].find(([, { isRunning }]) => !isRunning);
    if (ended !== undefined) watched.delete(ended[0]);
    watched.set(event.sessionId, { made: event, happened: [], isRunning: true });
    return true;
  }
  const machine = watched.get(event.sessionId);
  if (machine === undefined || event.type !== "@xstate.snapshot") return false;
  machine.happened = [...machine.happened.slice(1 - maxKept), event];
  machine.isRunning = event.snapshot.status === "active";
  return true;
}
