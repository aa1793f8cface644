import { createStore } from "#src/browser/store.ts";

/** Whether the history shows files on their way. A module of its own: the dashboard does not wait for the uploads. */
export const isUnderWay = createStore(false);
