import { useHydrated } from "@tanstack/react-router";
import { useEffect } from "react";
import { endHydration, promiseHydration } from "#src/browser/server-rendered.ts";

/**
 * For each page that arrives as HTML, and for what stands in its place when it can't be loaded: once React has taken over all that is around it
 * and in it, and has rendered what waits for that (`useHydrated`), the page is the script's.
 */
export function useHydration(): void {
  if (import.meta.env.SSR) promiseHydration();
  const isHydrated = useHydrated();
  useEffect(() => {
    if (isHydrated) endHydration();
  }, [isHydrated]);
}
