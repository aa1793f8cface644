// SPEC.md section 9, "Analytics session".
export const heartbeatEvery = 30_000;
export const idleLimit = 5 * 60_000;
export const scrollMarks: readonly number[] = [50, 75, 90];
export const pageViewDelay = 100;
/** How long a session's place is waited for. */
export const placeTimeout = 10_000;

export type ConsentChoice = "agreed" | "refused";

/** One person's stay: it outlives a reload, and other tabs share it. */
export interface AnalyticsSession {
  id: string;
  /** Epoch ms. */
  startedAt: number;
  /** Of the last sign of life (epoch ms). */
  seenAt: number;
}

/** Where somebody seems to be, by their network address; "" is not known. */
export interface Place {
  country: string;
  region: string;
  city: string;
}

export type EventParams = Readonly<Record<string, string | number | boolean>>;

/** What is sent. */
export interface MadeEvent {
  name: string;
  params: EventParams;
  /** Epoch ms. */
  at: number;
  /** It is only shown. */
  isDry: boolean;
}

/** Whether the stay is over: nobody was seen for as long as the limit. */
export function isOver(session: AnalyticsSession, now: number): boolean {
  return now - session.seenAt >= idleLimit;
}

/** The marks that a depth (percent of the page) has reached for the first time. */
export function newMarks(percent: number, sent: readonly number[]): number[] {
  return scrollMarks.filter((mark) => percent >= mark && !sent.includes(mark));
}
