import type { ReactNode } from "react";
import type { AccessStage } from "#machines/session/access.ts";
import { createStore } from "#src/browser/store.ts";

/** The guard of the navigation under way, as the pending screen shows it (`checking.*`). */
export interface AccessCheck {
  stage: AccessStage;
  /** When it takes so long that the person is asked what they want: what asks them. */
  slow?: ReactNode;
}

export const accessCheck = createStore<AccessCheck>({ stage: "authenticating" });

/** Whether such a guard is under way. */
export const isChecking = createStore(false);
