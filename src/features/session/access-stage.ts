import type { ReactNode } from "react";
import type { AccessStage } from "#machines/session/access.ts";
import { createStore } from "#src/browser/store.ts";

/** The stage of the current navigation's guard, which the pending screen shows (`checking.*`). */
export interface AccessCheck {
  stage: AccessStage;
  /** The component that offers actions when the guard takes long. */
  slow?: ReactNode;
  isRunning: boolean;
}

export const accessCheck = createStore<AccessCheck>({ stage: "authenticating", isRunning: false });
