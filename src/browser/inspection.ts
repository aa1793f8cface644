import type { InspectionEvent, Observer } from "xstate";

let observer: Observer<InspectionEvent> | undefined;

/** Inspects every actor created from now on. */
export function inspectWith(watcher: Observer<InspectionEvent>): void {
  observer = watcher;
}

/**
 * Options for every `createActor` of the page: `createActor(machine, { ...inspected(), input })`. Empty, unless the
 * address turns the inspector on.
 */
export function inspected(): { inspect?: Observer<InspectionEvent> } {
  return observer === undefined ? {} : { inspect: observer };
}
