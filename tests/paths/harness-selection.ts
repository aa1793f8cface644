import { Coverage } from "./harness-coverage.ts";
import { createRun, type Rig, type Walk } from "./harness-run.ts";
import { type Path, pathsThrough } from "./harness-walk.ts";

/** Few paths that together take every transition that any path takes. */
export interface Selection {
  paths: readonly Path[];
  /** Names of all transitions that none of the paths takes. */
  missed: readonly string[];
}

interface Candidate extends Path {
  /** What each step takes, by name; first what the beginning takes by itself. */
  taken: readonly (readonly string[])[];
}

/** Steps that a page's loading is worth: a longer path is better than one path more. */
const beginningCost = 6;

/** Where every path costs something (in a real browser): the cheapest first that adds something, none longer than it has to be. */
export function selectPaths<R extends Rig>(walk: Walk<R>): Selection {
  const candidates = pathsThrough(walk).map((path) => withTaken(walk, path));
  const seen = new Set<string>();
  const paths: Path[] = [];
  for (;;) {
    const [best] = candidates
      .map((candidate) => cut(candidate, seen))
      .filter(({ gain }) => gain > 0)
      .sort((one, other) => value(other) - value(one));
    if (best === undefined) break;
    paths.push(best.path);
    for (const name of best.names) seen.add(name);
  }
  const all = [...new Coverage(walk.machine).result().transitions.missed];
  return { paths, missed: all.filter((name) => !seen.has(name)) };
}

interface Cut {
  path: Path;
  names: readonly string[];
  gain: number;
}
const value = ({ path, gain }: Cut) => gain / (path.steps.length + beginningCost);

/** A path up to the last step that takes something new. */
function cut({ start, steps, lookAt, taken }: Candidate, seen: ReadonlySet<string>): Cut {
  const last = taken.findLastIndex((names) => names.some((name) => !seen.has(name)));
  const names = [...new Set(taken.slice(0, last + 1).flat())];
  return { path: { start, steps: steps.slice(0, last), lookAt }, names, gain: names.filter((name) => !seen.has(name)).length };
}

function withTaken<R extends Rig>(walk: Walk<R>, path: Path): Candidate {
  const coverage = new Coverage(walk.machine);
  const { move, stop } = createRun(walk, "at once", coverage)(path.start);
  const taken = [coverage.take()];
  for (const name of path.steps) {
    move(name);
    taken.push(coverage.take());
  }
  stop();
  return { ...path, taken };
}
