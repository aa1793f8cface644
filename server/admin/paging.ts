import type { Pagination } from "#contract/index.ts";

export interface PageOf<Row> {
  rows: Row[];
  pagination: Pagination;
}

/**
 * The rows of a page. A page beyond the last one is the last one.
 * @param page from 1
 */
export function pageOf(
  { page, limit }: { page: number; limit: number },
  total: number,
): { pagination: Pagination; offset: number } {
  const totalPages = Math.ceil(total / limit);
  const shown = Math.max(1, Math.min(page, totalPages));
  return { pagination: { page: shown, limit, total, totalPages }, offset: (shown - 1) * limit };
}
