import type { InspectionEvent, Observer } from "xstate";

/** Which inspector: our own page, or Stately's. */
export type InspectionMode = "own" | "stately";

let observer: Observer<InspectionEvent> | undefined;

/**
 * What every `createActor` of the page is given: `createActor(machine, { ...inspected(), input })`. Nothing, unless the address asked for
 * the machines to be watched.
 */
export function inspected(): { inspect?: Observer<InspectionEvent> } {
  return observer === undefined ? {} : { inspect: observer };
}

/** What the address (`location.search`) asks for; undefined: nothing. */
export function wantedInspection(search: string): InspectionMode | undefined {
  const wanted = new URLSearchParams(search).get("inspect");
  if (wanted === null) return undefined;
  return wanted === "stately" ? "stately" : "own";
}

/**
 * Begins to watch the machines if `?inspect` asks for it; to be awaited before the first actor is made. In `npm run dev` they can always
 * be watched at /debug/machines, which nobody opens for one then.
 */
export async function startInspection(): Promise<void> {
  const mode = wantedInspection(location.search) ?? (import.meta.env.DEV ? "own" : undefined);
  if (mode === undefined || location.pathname === "/debug/machines") return;
  const { attachInspector } = await import("#src/features/inspection/inspector.ts");
  observer = attachInspector(mode, { opens: wantedInspection(location.search) !== undefined });
}
