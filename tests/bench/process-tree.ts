import { readdir, readFile } from "node:fs/promises";

/** Linux counts processor time in hundredths of a second for every program (USER_HZ, man 5 proc). */
const ticksPerSecond = 100;
const pageBytes = 4096;

interface Process {
  id: number;
  parent: number;
  ticks: number;
  pages: number;
}

/**
 * A process and all of its descendants (man 5 proc_pid_stat: own time and that of ended children, fields 14 to 17,
 * resident pages, field 24).
 */
async function treeOf(pid: number): Promise<Process[]> {
  const found = new Map<number, Process>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    // The second field, the program's name in parentheses, may have any characters.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields.length < 22) continue;
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    found.set(Number(name), { id: Number(name), parent: Number(fields[1]), ticks, pages: Number(fields[21]) });
  }
  const isBelow = (id: number): boolean => id === pid || (id > 1 && isBelow(found.get(id)?.parent ?? 0));
  return [...found.values()].filter(({ id }) => isBelow(id));
}

/** The processor seconds that a process and all of its descendants have used since it started, including ended ones. */
export async function processorSeconds(pid: number): Promise<number> {
  return (await treeOf(pid)).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
}

/** The memory that a process and all of its descendants use now. Shared memory counts for each of them. */
export async function residentBytes(pid: number): Promise<number> {
  return (await treeOf(pid)).reduce((sum, { pages }) => sum + pages, 0) * pageBytes;
}

/** The memory of each process by its id. Shared memory counts in equal parts (smaps_rollup: proportional set size). */
export async function proportionalBytes(pid: number): Promise<Map<number, number>> {
  const sizes = (await treeOf(pid)).map(async ({ id }) => {
    const rollup = await readFile(`/proc/${id}/smaps_rollup`, "utf8").catch(() => "");
    return [id, Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024] as const;
  });
  return new Map(await Promise.all(sizes));
}
