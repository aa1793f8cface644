import type { AdminUserRow, Pagination } from "#contract/index.ts";

/** The pages of a list with this many rows. */
export const paged = (total: number, page = 1): Pagination => ({ page, limit: 20, total, totalPages: Math.ceil(total / 20) });

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
