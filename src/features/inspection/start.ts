import { inspectWith } from "#src/browser/inspection.ts";
import type { InspectionMode } from "./inspector.ts";

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
  const wanted = wantedInspection(location.search);
  const mode = wanted ?? (import.meta.env.DEV ? "own" : undefined);
  if (mode === undefined || location.pathname === "/debug/machines") return;
  const inspector = await import("./inspector.ts");
  inspectWith(inspector.attachInspector(mode, { opens: wanted !== undefined }));
}
