import { createBrowserInspector, type StatelyInspectionEvent } from "@statelyai/inspect";
import * as v from "valibot";
import type { ActorRefLike, AnyEventObject, InspectionEvent, Observer } from "xstate";
import { ChannelMessage, channelName } from "./channel.ts";
import { withoutSecrets } from "./privacy.ts";

/** Our own inspector page, or Stately's. */
export type InspectionMode = "own" | "stately";

/** Length of the history, for inspectors that are opened later and for events that are sent again. */
const maxKept = 500;

const Record = v.record(v.string(), v.unknown());
const recordOf = (value: unknown): Record<string, unknown> => (v.is(Record, value) ? value : {});

/** An event's shape, and its number if it can be sent again. */
export function sanitizeEvent(event: AnyEventObject, replay?: number): AnyEventObject {
  return { ...recordOf(withoutSecrets(event)), type: event.type, ...(replay === undefined ? {} : { replay }) };
}

export const sanitizeContext = (context: unknown): Record<string, unknown> => recordOf(withoutSecrets(context));

/** An inspection event with sanitised data only: a promise's input and output are no context, and would pass unsanitised. */
export function onlySanitized(event: StatelyInspectionEvent): StatelyInspectionEvent {
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
    typeof value === "function" ? { type: guardName(value) } : value,
  );
}

/** The operands of `and`, `or` and `not`; the names of other functions are lost in the build. */
function guardName(guard: object): string {
  if (!("guards" in guard) || !Array.isArray(guard.guards)) return "…";
  const parts = guard.guards.map((part) => (typeof part === "string" ? part : "…"));
  return parts.length === 1 ? `¬ ${parts[0]}` : parts.join(" + ");
}

/** Inspects every actor that is created from now on. @param opens whether to open the inspector at once */
export function attachInspector(mode: InspectionMode, { opens }: { opens: boolean }): Observer<InspectionEvent> {
  if (mode === "stately") return createBrowserInspector(safely).inspect;
  const broadcast = createBroadcast();
  const inspector = createBrowserInspector({
    ...safely,
    autoStart: false,
    sanitizeEvent: (event) => sanitizeEvent(event, broadcast.numberOf(event)),
    send: broadcast.send,
  });
  if (opens) window.open("/debug/machines", channelName);
  console.info("The machines can be watched at", new URL("/debug/machines", location.href).href);
  return {
    next: (event) => {
      broadcast.note(event);
      inspector.inspect.next?.(event);
    },
  };
}

/** Forwards events to inspectors, and sends them again on request. */
function createBroadcast() {
  const page = crypto.randomUUID().slice(0, 8);
  const channel = new BroadcastChannel(channelName);
  const post = (message: ChannelMessage) => channel.postMessage(message);
  const named = (id: string) => `${page} ${id}`;
  const actors = new Map<string, ActorRefLike>();
  const numbers = new WeakMap<object, number>();
  const events = new Map<number, AnyEventObject>();
  let made: StatelyInspectionEvent[] = [];
  let happened: StatelyInspectionEvent[] = [];
  let count = 0;

  channel.addEventListener("message", ({ data }) => {
    const message = v.safeParse(ChannelMessage, data);
    if (!message.success) return;
    if (message.output.kind === "watching") {
      for (const event of [...made, ...happened]) post({ kind: "event", page, event });
    } else if (message.output.kind === "replay") {
      const event = events.get(message.output.number);
      if (event !== undefined) actors.get(message.output.sessionId)?.send(event);
    }
  });
  addEventListener("pagehide", () => post({ kind: "gone", page }));

  return {
    numberOf: (event: AnyEventObject) => numbers.get(event),
    /** Internal events of XState can't be sent again. */
    note(event: InspectionEvent): void {
      if (event.type === "@xstate.actor") actors.set(named(event.actorRef.sessionId), event.actorRef);
      if (event.type !== "@xstate.snapshot" || event.event.type.startsWith("xstate.")) return;
      count += 1;
      numbers.set(event.event, count);
      events.set(count, event.event);
      events.delete(count - maxKept);
    },
    send(event: StatelyInspectionEvent): void {
      const parent = "parentId" in event && event.parentId ? { parentId: named(event.parentId) } : {};
      const sent = { ...event, ...parent, sessionId: named(event.sessionId) };
      if (sent.type === "@xstate.actor") sent.definition = definitionOf(actors.get(sent.sessionId));
      if (sent.type === "@xstate.actor") made = [...made.slice(1 - maxKept), sent];
      else happened = [...happened.slice(1 - maxKept), sent];
      post({ kind: "event", page, event: sent });
    },
  };
}
