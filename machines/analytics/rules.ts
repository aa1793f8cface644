// SPEC.md section 9, "Analytics session".
export const heartbeatEvery = 30_000;
export const idleLimit = 5 * 60_000;
export const scrollMarks: readonly number[] = [50, 75, 90];
export const pageViewDelay = 100;
/** Time-out of the session's location lookup. */
export const placeTimeout = 10_000;

export type ConsentChoice = "agreed" | "refused";

/** The states of the person's consent. */
export const consents = ["notConfigured", "undecided", "refused", "refusedBySignal", "agreed"] as const;
export type Consent = (typeof consents)[number];

/** One visit: it survives a reload, and all tabs share it. */
export interface AnalyticsSession {
  id: string;
  /** Epoch ms. */
  startedAt: number;
  /** The last activity (epoch ms). */
  seenAt: number;
}

/** The approximate location, by network address; "" when unknown. */
export interface Place {
  country: string;
  region: string;
  city: string;
}

export type EventParams = Readonly<Record<string, string | number | boolean>>;

/** The event as sent. */
export interface MadeEvent {
  name: string;
  params: EventParams;
  /** Epoch ms. */
  at: number;
  /** Events are shown, not sent. */
  isDry: boolean;
}

/** Whether the session has expired: no activity for the length of the limit. */
export function isOver(session: AnalyticsSession, now: number): boolean {
  return now - session.seenAt >= idleLimit;
}

/** The marks that a depth (percent of the page) reaches for the first time. */
export function newMarks(percent: number, sent: readonly number[]): number[] {
  return scrollMarks.filter((mark) => percent >= mark && !sent.includes(mark));
}
