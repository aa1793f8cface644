import type { RecentSignIn } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { listSignIns } from "./sign-in-queries.ts";

/**
 * A user's sign-ins, the latest first, including those whose session has ended.
 * @param current the id of the asking session
 * @param most how many at most; default: all that are kept
 */
export async function listRecentSignIns(db: Db, userId: string, current: string, most?: number): Promise<RecentSignIn[]> {
  const rows = await listSignIns(db, userId, most);
  return rows.map(({ id, at, method, device }) => ({
    id,
    at: new Date(at).toISOString(),
    method,
    device,
    current: id === current,
  }));
}
