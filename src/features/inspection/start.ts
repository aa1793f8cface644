import { inspectWith } from "#src/browser/inspection.ts";

/** Our own page of machines, or Stately's inspector. */
type InspectionMode = "own" | "stately";

/** In the tab's storage: what its address has asked for. So the page is inspected when it comes back from Google or the checkout. */
const storageKey = "inspect";

/** The inspector that the address (`location.search`) asks for; undefined: none. */
export function wantedInspection(search: string): InspectionMode | undefined {
  return modeOf(new URLSearchParams(search).get("inspect"));
}

function modeOf(wanted: string | null): InspectionMode | undefined {
  if (wanted === null) return undefined;
  return wanted === "stately" ? "stately" : "own";
}

/** The tab's storage may be forbidden. */
function inTab<Result>(work: (storage: Storage) => Result): Result | null {
  try {
    return work(sessionStorage);
  } catch {
    return null;
  }
}

/**
 * Starts inspecting if `?inspect` asks for it, or did so before in this tab; await it before the first actor is created. In
 * `npm run dev` machines can be inspected at /debug/machines at any time. It is opened automatically where the address asks for it.
 */
export async function startInspection(): Promise<void> {
  const wanted = wantedInspection(location.search);
  const mode = wanted ?? modeOf(inTab((tab) => tab.getItem(storageKey))) ?? (import.meta.env.DEV ? "own" : undefined);
  if (mode === undefined || location.pathname === "/debug/machines") return;
  if (wanted !== undefined) inTab((tab) => tab.setItem(storageKey, wanted));
  if (mode === "stately") return inspectWith((await import("./stately.ts")).openStately());
  inspectWith((await import("./broadcast.ts")).broadcastMachines({ opens: wanted !== undefined }));
}
