import { inspectWith } from "#src/browser/inspection.ts";

/** Our own page of machines, or Stately's inspector. */
type InspectionMode = "own" | "stately";

/** Key in the tab's storage for the requested inspector, so that it survives a visit to Google or the checkout. */
const storageKey = "inspect";

/** The inspector that the address (`location.search`) requests; undefined: none. */
export function wantedInspection(search: string): InspectionMode | undefined {
  return modeOf(new URLSearchParams(search).get("inspect"));
}

function modeOf(wanted: string | null): InspectionMode | undefined {
  if (wanted === null) return undefined;
  return wanted === "stately" ? "stately" : "own";
}

/** Runs with the tab's storage; null if the browser forbids storage. */
function inTab<Result>(work: (storage: Storage) => Result): Result | null {
  try {
    return work(sessionStorage);
  } catch {
    return null;
  }
}

/**
 * Starts inspecting if the address has `?inspect`, or had it before in this tab. Await this before creating the first
 * actor. In `npm run dev`, /debug/machines can inspect machines at any time; with `?inspect` it opens by itself.
 */
export async function startInspection(): Promise<void> {
  const wanted = wantedInspection(location.search);
  const mode = wanted ?? modeOf(inTab((tab) => tab.getItem(storageKey))) ?? (import.meta.env.DEV ? "own" : undefined);
  if (mode === undefined || location.pathname === "/debug/machines") return;
  if (wanted !== undefined) inTab((tab) => tab.setItem(storageKey, wanted));
  if (mode === "stately") return inspectWith((await import("./stately.ts")).openStately());
  inspectWith((await import("./broadcast.ts")).broadcastMachines({ opens: wanted !== undefined }));
}
