import { readdir, readFile } from "node:fs/promises";

/** Linux counts processor time in hundredths of a second for every program (USER_HZ, man 5 proc). */
const ticksPerSecond = 100;

interface Process {
  parent: number;
  ticks: number;
}

/** All processes with their own time and that of their ended children (man 5 proc_pid_stat, fields 4 and 14 to 17). */
async function processes(): Promise<Map<number, Process>> {
  const found = new Map<number, Process>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    // The second field, the program's name in parentheses, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields.length < 16) continue;
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    found.set(Number(name), { parent: Number(fields[1]), ticks });
  }
  return found;
}

/** Seconds of processor time that a process and all below it have used since it began, ended ones included. */
export async function processorSeconds(pid: number): Promise<number> {
  const all = await processes();
  const isBelow = (id: number): boolean => id === pid || (id > 1 && isBelow(all.get(id)?.parent ?? 0));
  let ticks = 0;
  for (const [id, process] of all) if (isBelow(id)) ticks += process.ticks;
  return ticks / ticksPerSecond;
}
