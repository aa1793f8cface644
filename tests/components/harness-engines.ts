import { onTestFinished, vi } from "vitest";
import type { EnginesAnswer } from "#contract/index.ts";
import { loadEngines } from "#src/features/engines/actor.ts";
import { engines } from "./harness-answers.ts";
import { answer } from "./harness-network.ts";

/** The page asks for the engines once a minute: it is as much later each time (ms). */
let ahead = 0;

async function askAnew(served: EnginesAnswer): Promise<void> {
  answer({ "GET /api/v1/engines": served });
  ahead += 61_000;
  const later = vi.spyOn(Date, "now").mockReturnValue(Date.now() + ahead);
  await loadEngines();
  later.mockRestore();
}

/** Until the test ends, the server has these engines. */
export async function serveEngines(served: EnginesAnswer): Promise<void> {
  onTestFinished(() => askAnew(engines));
  await askAnew(served);
}
