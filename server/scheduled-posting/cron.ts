import { Cron } from "croner";

const shape = /^(@[a-z]+|\S+(\s+\S+){4})$/i;

/**
 * The next time of a cron expression after `after`; null when there is none. In UTC, epoch ms.
 * @throws for an invalid expression
 */
export function nextTime(expression: string, after: number): number | null {
  return new Cron(expression, { timezone: "UTC", mode: "5-part" }).nextRun(new Date(after))?.getTime() ?? null;
}

/** Whether this is a cron expression of five parts (or "@daily" and the like) that has a next time. */
export function isSchedule(text: string): boolean {
  try {
    return shape.test(text) && nextTime(text, Date.now()) !== null;
  } catch {
    return false;
  }
}
