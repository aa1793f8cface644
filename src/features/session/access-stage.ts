import type { ReactNode } from "react";
import type { AccessStage } from "#machines/session/access.ts";
import { createStore } from "#src/browser/store.ts";

/** The stage of the current navigation's guard, as the pending screen shows it (`checking.*`). */
export interface AccessCheck {
  stage: AccessStage;
  /** When the guard takes long: the component that asks the person what to do. */
  slow?: ReactNode;
  isRunning: boolean;
}

export const accessCheck = createStore<AccessCheck>({ stage: "authenticating", isRunning: false });
