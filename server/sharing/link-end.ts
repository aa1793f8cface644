import { Problem } from "#server/errors/problem.ts";

/** The latest end that a link can have, ten years ahead (milliseconds). */
const longestMs = 10 * 366 * 24 * 60 * 60 * 1000;

/**
 * @param expiresAt ISO 8601
 * @param now epoch ms
 * @returns epoch ms
 * @throws Problem `badRequest` for a time in the past, or too far ahead
 */
export function linkEnd(expiresAt: string | null, now: number): number | null {
  if (expiresAt === null) return null;
  const end = Date.parse(expiresAt);
  if (end <= now || end > now + longestMs) throw new Problem("badRequest", "expiresAt: must be in the future, within ten years");
  return end;
}
