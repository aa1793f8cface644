import { useHydrated } from "@tanstack/react-router";
import { useEffect } from "react";
import { endHydration, promiseHydration } from "#src/browser/server-rendered.ts";

/**
 * Called by each page that arrives as HTML, and by the component that replaces it if it can't be loaded. The page
 * counts as hydrated once React has hydrated everything around it and in it, and has rendered the parts that wait for
 * this (`useHydrated`).
 */
export function useHydration(): void {
  if (import.meta.env.SSR) promiseHydration();
  const isHydrated = useHydrated();
  useEffect(() => {
    if (isHydrated) endHydration();
  }, [isHydrated]);
}
