import type { AdminBackups, AdminMetrics, AdminUser, AdminUserRow } from "#contract/index.ts";

/** A row of the list of people. */
export const row = (change: Partial<AdminUserRow> = {}): AdminUserRow => ({
  id: "u1",
  email: "ada@example.org",
  name: "Ada",
  createdAt: "2026-03-01T10:00:00.000Z",
  confirmed: true,
  blocked: false,
  superuser: false,
  premium: false,
  lastSeenAt: null,
  minutesThisMonth: 0,
  ...change,
});

/** Somebody on the free plan, signed in on one device. */
export function person(change: Partial<AdminUser> = {}): AdminUser {
  return {
    ...row(),
    language: "en",
    hasPassword: true,
    self: false,
    usage: [],
    transcriptions: { total: 0, latest: [] },
    vault: null,
    subscription: null,
    invoices: [],
    signIns: [{ id: "s1", device: null, createdAt: "2026-03-01T10:00:00.000Z", seenAt: null, current: false }],
    ...change,
  };
}

/** The subscription of one who was given it, or who pays. */
export function subscribed(change: Partial<NonNullable<AdminUser["subscription"]>> = {}): AdminUser {
  return person({
    premium: true,
    subscription: {
      id: "b1",
      status: "active",
      plan: "premium",
      interval: null,
      currentPeriodEnd: "2026-05-01T22:00:00.000Z",
      cancelAtPeriodEnd: false,
      provider: null,
      premium: true,
      ...change,
    },
  });
}

/** The numbers of a server on which nothing has happened; they differ in `total`. */
export function numbers(total = 1): AdminMetrics {
  return {
    at: "2026-03-01T12:00:00.000Z",
    version: "0.1.0",
    uptimeSeconds: 60,
    days: ["2026-03-01"],
    failures: [],
    engines: [],
    users: { total, confirmed: 0, premium: 0, newPerDay: [0], totalPerDay: [null], premiumPerDay: [null] },
    minutes: { thisMonth: 0, perDay: [0] },
    signIns: { today: 0, perDay: [0] },
    jobs: { waiting: 0, running: 0, failed: 0, failedLately: 0 },
    messages: { open: 0, waitlist: 0 },
    storage: {
      database: 0,
      audio: 0,
      vault: 0,
      other: 0,
      free: 1,
      size: 1,
      measuredAt: "2026-03-01T12:00:00.000Z",
      usedPerDay: [null],
    },
    mails: { server: false, waiting: 0, stuck: 0 },
  };
}

export const runningBackup: NonNullable<AdminBackups["running"]> = {
  host: "one",
  startedAt: "2026-03-01T12:00:00.000Z",
  phase: "files",
  done: 1_000,
};

/** The backups of a server that has made none. */
export function backups(change: Partial<AdminBackups> = {}): AdminBackups {
  return {
    backups: [],
    running: null,
    failure: null,
    nextAt: null,
    keep: 7,
    folder: "/backups",
    isEncrypted: false,
    files: "folder",
    ...change,
  };
}
