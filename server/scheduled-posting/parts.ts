import type { Generator } from "#server/blog-admin/generator.ts";
import type { Bus } from "#server/bus/bus.ts";
import type { DbParts } from "#server/db/open.ts";
import type { Log } from "#server/log/log.ts";
import type { Threads } from "#server/threads/threads.ts";

export interface SchedulerParts extends DbParts {
  config: { schedule: { expression: string | undefined; language: string; about: string } };
  log: Log;
  bus: Bus;
  generator: Generator;
  threads: Threads;
  /** A process without a heartbeat for this long counts as crashed. Default 60,000 ms. */
  leaseMs?: number | undefined;
}
