import { createStore } from "#src/browser/store.ts";

/** Whether the history shows running uploads. A separate module, so that the dashboard need not load the uploads. */
export const isUnderWay = createStore(false);
