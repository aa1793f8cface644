import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";

/**
 * Priority of background processes: they get the remaining processor time, a tenth of the others' share on a busy
 * machine. That is enough to end before every timeout.
 */
const background = constants.priority.PRIORITY_BELOW_NORMAL;
const normal = constants.priority.PRIORITY_NORMAL;

/**
 * Lowers a process's priority, or restores it. Its children inherit the priority. Where the system forbids the change
 * (raising it needs rights on Linux), the priority stays.
 */
export function setBackground(pid: number | undefined, isBackground: boolean): void {
  if (pid === undefined) return;
  for (const id of threadsOf(pid)) {
    try {
      setPriority(id, isBackground ? background : normal);
    } catch {
      // The process has ended, or may not be changed.
    }
  }
}

/**
 * Makes the kernel end this process rather than the server when memory runs out. Linux only; does nothing elsewhere.
 */
export async function endFirst(pid: number | undefined): Promise<void> {
  await writeFile(`/proc/${pid}/oom_score_adj`, "900").catch(() => undefined);
}

/** On Linux, each thread has its own priority, which the threads that it starts inherit. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}
