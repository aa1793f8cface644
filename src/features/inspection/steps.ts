import type { AnyTransitionDefinition, InspectionEvent } from "xstate";
import { transitionKey } from "#machines/inspection/rules.ts";

/** A transition as our own page names it: by its state, its event, and its place among that state's for the same event. */
export function keyOf(transition: AnyTransitionDefinition): string[] {
  const { source, eventType } = transition;
  const among = source.transitions.get(eventType)?.indexOf(transition) ?? -1;
  if (among >= 0) return [transitionKey(source.path, `${eventType}/${among}`)];
  const always = source.always?.indexOf(transition) ?? -1;
  return always < 0 ? [] : [transitionKey(source.path, `always/${always}`)];
}

/** What transitions each snapshot has come from. Snapshots are sent when the page has time, in their order: so these wait in the same one. */
export function createSteps() {
  const open = new Map<string, string[]>();
  const waiting = new Map<string, string[][]>();
  return {
    note(event: InspectionEvent): void {
      const id = event.actorRef.sessionId;
      if (event.type === "@xstate.microstep") open.set(id, [...(open.get(id) ?? []), ...event._transitions.flatMap(keyOf)]);
      if (event.type !== "@xstate.snapshot") return;
      waiting.set(id, [...(waiting.get(id) ?? []), open.get(id) ?? []]);
      open.delete(id);
    },
    takenBy(id: string): string[] {
      const [taken = [], ...others] = waiting.get(id) ?? [];
      if (others.length > 0) waiting.set(id, others);
      else waiting.delete(id);
      return taken;
    },
  };
}
