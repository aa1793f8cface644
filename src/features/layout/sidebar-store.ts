import type { ComponentType } from "react";
import { createStore } from "#src/browser/store.ts";

/** The sidebar of the signed-in pages. null until its code is loaded; visitors never load it. */
export const sidebar = createStore<ComponentType | null>(null);
