import { createBrowserInspector, type StatelyInspectionEvent } from "@statelyai/inspect";
import * as v from "valibot";
import type { InspectionEvent, Observer } from "xstate";
import { definitionOf } from "./definition.ts";
import { record, sanitizeContext, sanitizeEvent } from "./privacy.ts";

const Definition = v.pipe(v.string(), v.parseJson(), v.looseObject({ id: v.string() }));

/**
 * Removes personal data from an inspection event. A promise's input and output are not part of a context, and would
 * otherwise pass.
 */
function serialize(event: StatelyInspectionEvent): StatelyInspectionEvent {
  if (event.type === "@xstate.event") return event;
  const { status, value, context } = record(event.snapshot);
  const snapshot = { status, value, context: sanitizeContext(context) };
  // XState's type of `snapshot` has more properties, but an inspector needs only these three.
  return { ...event, snapshot: JSON.parse(JSON.stringify(snapshot)) };
}

/** Options that limit what Stately's inspectors receive. */
export const safely = { sanitizeContext, sanitizeEvent, serialize };

/** Opens Stately's inspector for every actor created from now on. It gets the same chart as our own diagrams. */
export function openStately(): Observer<InspectionEvent> {
  const definitions = new Map<string, string>();
  const { inspect } = createBrowserInspector({
    ...safely,
    serialize: (event) => {
      const definition = event.type === "@xstate.actor" ? definitions.get(event.sessionId) : undefined;
      return definition === undefined
        ? serialize(event)
        : { ...serialize(event), definition, name: v.parse(Definition, definition).id };
    },
    // Stately's page loads slowly, so all events of all actors are buffered until then.
    maxDeferredEvents: 2_000,
  });
  return {
    next: (event) => {
      const definition = event.type === "@xstate.actor" ? definitionOf(event.actorRef) : undefined;
      if (definition !== undefined) definitions.set(event.actorRef.sessionId, definition);
      inspect.next?.(event);
    },
  };
}
