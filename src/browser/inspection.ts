import type { InspectionEvent, Observer } from "xstate";

let observer: Observer<InspectionEvent> | undefined;

/** Every actor that is made from now on is watched. */
export function inspectWith(watcher: Observer<InspectionEvent>): void {
  observer = watcher;
}

/**
 * What every `createActor` of the page is given: `createActor(machine, { ...inspected(), input })`. Nothing, unless the address asked for
 * the machines to be watched.
 */
export function inspected(): { inspect?: Observer<InspectionEvent> } {
  return observer === undefined ? {} : { inspect: observer };
}
