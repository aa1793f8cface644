import * as v from "valibot";
import type { ActorRefLike, AnyEventObject, AnyTransitionDefinition, InspectionEvent, Observer } from "xstate";
import { transitionKey } from "#machines/inspection/rules.ts";
import { ChannelMessage, channelName, type WatchedEvent } from "./channel.ts";
import { definitionOf } from "./definition.ts";
import { sanitizeContext, sanitizeEvent } from "./privacy.ts";

/**
 * Limits of the history for inspector pages that open later: events for each machine, and machines. Ended machines are
 * dropped first.
 */
const [maxEntries, maxMachines] = [200, 200];
/** The maximum number of events that can be replayed. */
const maxReplays = 500;

/** A machine of this page, with what an inspector page that opens later needs to know. */
interface Watched {
  actor: ActorRefLike;
  created: WatchedEvent;
  happened: readonly WatchedEvent[];
  isRunning: boolean;
}

const Snapshot = v.looseObject({ status: v.string(), value: v.optional(v.unknown()), context: v.optional(v.unknown()) });

/**
 * Posts the events of this page's machines to /debug/machines in other tabs, and replays events on request.
 * @param opens whether to open /debug/machines now
 */
export function broadcastMachines({ opens }: { opens: boolean }): Observer<InspectionEvent> {
  const page = crypto.randomUUID().slice(0, 8);
  const channel = new BroadcastChannel(channelName);
  const post = (message: ChannelMessage) => channel.postMessage(message);
  const watched = new Map<string, Watched>();
  /** The transitions of each machine since its last snapshot. */
  const taken = new Map<string, string[]>();
  const events = new Map<number, AnyEventObject>();
  let count = 0;

  channel.addEventListener("message", ({ data }) => {
    const message = v.safeParse(ChannelMessage, data);
    if (!message.success) return;
    if (message.output.kind === "watching") {
      for (const { created, happened } of watched.values())
        for (const event of [created, ...happened]) post({ kind: "event", page, event });
    } else if (message.output.kind === "replay") {
      const event = events.get(message.output.number);
      if (event !== undefined) watched.get(message.output.sessionId)?.actor.send(event);
    }
  });
  addEventListener("pagehide", () => post({ kind: "gone", page }));
  if (opens) window.open("/debug/machines", channelName);
  console.info("The machines can be watched at /debug/machines");

  /** XState's internal events can't be replayed. */
  const replayOf = (event: AnyEventObject) => {
    if (event.type.startsWith("xstate.")) return {};
    count += 1;
    events.set(count, event).delete(count - maxReplays);
    return { replay: count };
  };
  const describe = (inspection: Extract<InspectionEvent, { type: "@xstate.snapshot" }>): WatchedEvent | undefined => {
    const { actorRef, event } = inspection;
    const sessionId = `${page} ${actorRef.sessionId}`;
    const { status, value, context } = v.parse(Snapshot, inspection.snapshot);
    const common = { sessionId, at: Date.now(), snapshot: { status, value, context: sanitizeContext(context) } };
    if (watched.has(sessionId)) {
      const happened = { ...sanitizeEvent(event), ...replayOf(event) };
      return { ...common, type: "happened", event: happened, taken: taken.get(actorRef.sessionId) ?? [] };
    }
    const definition = event.type === "xstate.init" ? definitionOf(actorRef) : undefined;
    return definition === undefined ? undefined : { ...common, type: "created", definition };
  };
  return {
    next: (inspection) => {
      const { sessionId } = inspection.actorRef;
      if (inspection.type === "@xstate.microstep")
        taken.set(sessionId, [...(taken.get(sessionId) ?? []), ...inspection._transitions.flatMap(keyOf)]);
      if (inspection.type !== "@xstate.snapshot") return;
      const event = describe(inspection);
      taken.delete(sessionId);
      if (event === undefined) return;
      keep(watched, inspection.actorRef, event);
      post({ kind: "event", page, event });
    },
  };
}

function keep(watched: Map<string, Watched>, actor: ActorRefLike, event: WatchedEvent): void {
  const isRunning = event.snapshot.status === "active";
  const known = watched.get(event.sessionId);
  if (known !== undefined) {
    watched.set(event.sessionId, { ...known, happened: [...known.happened, event].slice(-maxEntries), isRunning });
    return;
  }
  const ended = watched.size < maxMachines ? undefined : [...watched].find((one) => !one[1].isRunning);
  if (ended !== undefined) watched.delete(ended[0]);
  watched.set(event.sessionId, { actor, created: event, happened: [], isRunning });
}

/**
 * A transition's key on the inspector page: its state, its event, and its index among that state's transitions for the
 * same event.
 */
export function keyOf(transition: AnyTransitionDefinition): string[] {
  const { source, eventType } = transition;
  const among = source.transitions.get(eventType)?.indexOf(transition) ?? -1;
  if (among >= 0) return [transitionKey(source.path, `${eventType}/${among}`)];
  const always = source.always?.indexOf(transition) ?? -1;
  return always < 0 ? [] : [transitionKey(source.path, `always/${always}`)];
}
