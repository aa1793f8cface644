import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";

/**
 * What nobody waits for with their ears gets the processor time that is left, a tenth of what others get where all want it: enough to end
 * within every time-out.
 */
const background = constants.priority.PRIORITY_BELOW_NORMAL;
const normal = constants.priority.PRIORITY_NORMAL;

/**
 * Lets a process go behind the others, or no longer. Its own children inherit that. What the system does not allow (going up again needs
 * rights on Linux) stays as it is.
 */
export function setBackground(pid: number | undefined, isBackground: boolean): void {
  if (pid === undefined) return;
  for (const id of threadsOf(pid)) {
    try {
      setPriority(id, isBackground ? background : normal);
    } catch {
      // It has ended, or may not be changed.
    }
  }
}

/** Lets the kernel end a process, not the server, when the machine has no memory left. Of Linux; elsewhere it does nothing. */
export async function endFirst(pid: number | undefined): Promise<void> {
  await writeFile(`/proc/${pid}/oom_score_adj`, "900").catch(() => undefined);
}

/** On Linux each thread has a priority of its own, which those that it starts inherit. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}
