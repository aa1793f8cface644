import type { AnyTransitionDefinition } from "xstate";
import { transitionKey } from "#machines/inspection/rules.ts";

/** A transition as the page of machines names it: by its state, its event, and its place among that state's for the same event. */
export function keyOf(transition: AnyTransitionDefinition): string[] {
  const { source, eventType } = transition;
  const among = source.transitions.get(eventType)?.indexOf(transition) ?? -1;
  if (among >= 0) return [transitionKey(source.path, `${eventType}/${among}`)];
  const always = source.always?.indexOf(transition) ?? -1;
  return always < 0 ? [] : [transitionKey(source.path, `always/${always}`)];
}
