import { inspectWith } from "#src/browser/inspection.ts";
import type { InspectionMode } from "./inspector.ts";

/** The inspector that the address (`location.search`) asks for; undefined: none. */
export function wantedInspection(search: string): InspectionMode | undefined {
  const wanted = new URLSearchParams(search).get("inspect");
  if (wanted === null) return undefined;
  return wanted === "stately" ? "stately" : "own";
}

/**
 * Starts inspecting if `?inspect` asks for it; await it before the first actor is created. In `npm run dev` machines can be
 * inspected at /debug/machines at any time, which is not opened automatically then.
 */
export async function startInspection(): Promise<void> {
  const wanted = wantedInspection(location.search);
  const mode = wanted ?? (import.meta.env.DEV ? "own" : undefined);
  if (mode === undefined || location.pathname === "/debug/machines") return;
  const inspector = await import("./inspector.ts");
  inspectWith(inspector.attachInspector(mode, { opens: wanted !== undefined }));
}
