import { Cron } from "croner";

const shape = /^(@[a-z]+|\S+(\s+\S+){4})$/i;

/** When a cron expression comes true next after `after`; null when it never does. In UTC, epoch ms. @throws for what is none */
export function nextTime(expression: string, after: number): number | null {
  return new Cron(expression, { timezone: "UTC", mode: "5-part" }).nextRun(new Date(after))?.getTime() ?? null;
}

/** Whether this is a cron expression of five parts (or "@daily" and the like) that comes true some day. */
export function isSchedule(text: string): boolean {
  try {
    return shape.test(text) && nextTime(text, Date.now()) !== null;
  } catch {
    return false;
  }
}
