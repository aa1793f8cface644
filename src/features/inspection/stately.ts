import { createBrowserInspector, type StatelyInspectionEvent } from "@statelyai/inspect";
import * as v from "valibot";
import type { InspectionEvent, Observer } from "xstate";
import { definitionOf } from "./definition.ts";
import { record, sanitizeContext, sanitizeEvent } from "./privacy.ts";

const Definition = v.pipe(v.string(), v.parseJson(), v.looseObject({ id: v.string() }));

/** An inspection event with sanitised data only: a promise's input and output are no context, and would pass unsanitised. */
function serialize(event: StatelyInspectionEvent): StatelyInspectionEvent {
  if (event.type === "@xstate.event") return event;
  const { status, value, context } = record(event.snapshot);
  const snapshot = { status, value, context: sanitizeContext(context) };
  // `snapshot` is typed as XState's own, of which an inspector needs these three properties.
  return { ...event, snapshot: JSON.parse(JSON.stringify(snapshot)) };
}

/** What Stately's inspectors may have of the machines. */
export const safely = { sanitizeContext, sanitizeEvent, serialize };

/** Opens Stately's inspector for every actor that is created from now on, with each machine's chart as our own diagrams have it. */
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
    // Stately's page loads slowly: the events of all actors until then.
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
