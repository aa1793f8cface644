import { pbkdf2 } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";

/** SHA-512 rounds of the work on one processor. */
const iterations = 400_000;
/** The ms that they take on the quiet machine for which the tests' time limits are set. */
const referenceMs = 300;
/** Node's own threads for such work. */
const maxThreads = 4;
/** A machine that stands still for a moment is not a slow one: a test that hangs must still end. */
const maxSlowness = 10;

/**
 * Measures this machine's current speed with a fixed piece of work on every processor.
 * @returns its slowness relative to the machine of the time limits, from 1 to 10
 */
export async function measureSlowness(): Promise<number> {
  const derive = promisify(pbkdf2);
  const threads = Array.from({ length: Math.min(availableParallelism(), maxThreads) });
  const started = performance.now();
  await Promise.all(threads.map(() => derive("", "", iterations, 64, "sha512")));
  return Math.min(Math.max(1, (performance.now() - started) / referenceMs), maxSlowness);
}
