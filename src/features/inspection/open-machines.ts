import { type WatchedMachines, watchMachines } from "./watched-machines.ts";

let open: WatchedMachines | undefined;

/** The state of /debug/machines: the same until the page is left. */
export function openMachines(): WatchedMachines {
  open ??= watchMachines();
  return open;
}

export function closeMachines(): void {
  open?.stop();
  open = undefined;
}
