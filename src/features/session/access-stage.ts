import type { ReactNode } from "react";
import type { AccessStage } from "#machines/session/access.ts";
import { createStore } from "#src/browser/store.ts";

/** The stage of the current navigation's guard, as the pending screen shows it (`checking.*`). */
export interface AccessCheck {
  stage: AccessStage;
  /** When the guard takes long: the component that asks the person what to do. */
  slow?: ReactNode;
}

export const accessCheck = createStore<AccessCheck>({ stage: "authenticating" });

/** Whether such a guard is running. */
export const isChecking = createStore(false);
