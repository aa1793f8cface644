import type { ComponentType } from "react";
import { createStore } from "./store.ts";

/** Where toasts are shown, once the first one has loaded the toast library. */
export const toastHost = createStore<ComponentType | undefined>(undefined);
