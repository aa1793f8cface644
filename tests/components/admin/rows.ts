import type { Pagination } from "#contract/index.ts";

/** The pagination of a list with this many rows. */
export const paged = (total: number, page = 1): Pagination => ({ page, limit: 20, total, totalPages: Math.ceil(total / 20) });
