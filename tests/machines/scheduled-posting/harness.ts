import { parse } from "valibot";
import { ScheduledStatus } from "#contract/index.ts";
import type { SeenStatus } from "#machines/scheduled-posting/machine.ts";

const at = Date.parse("2026-03-01T12:00:00Z");

/** A server's answer at noon, with a run at one. */
export function seen(changes: Partial<ScheduledStatus> = {}): SeenStatus {
  const status = { enabled: true, nextRunTime: "2026-03-01T13:00:00.000Z", postsGenerated: 1, ...changes };
  return { status: parse(ScheduledStatus, status), at };
}

export const scheduled = seen();
