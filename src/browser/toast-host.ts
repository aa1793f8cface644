import type { ComponentType } from "react";
import { createStore } from "./store.ts";

/** The component that shows toasts; undefined until the first toast has loaded the toast library. */
export const toastHost = createStore<ComponentType | undefined>(undefined);
