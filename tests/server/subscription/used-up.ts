import { UserProfile } from "#contract/index.ts";
import { dayOf } from "#server/metrics/days.ts";
import { monthOf } from "#server/subscription/usage-queries.ts";
import { openSql } from "#tests/server/database.ts";
import { type Person, read } from "#tests/server/harness.ts";

/**
 * Uses up this many minutes of the person, as if transcriptions had been made and erased.
 * @param at epoch ms
 */
export async function useUp(dataDir: string, person: Person, minutes: number, at = Date.now()): Promise<void> {
  const { id } = await read(await person.call("GET", "/users/me"), 200, UserProfile);
  using db = openSql(dataDir);
  db.prepare("insert into usage (user_id, source, month, day, samples) values (?, ?, ?, ?, ?)").run(
    id,
    `transcription:${crypto.randomUUID()}`,
    monthOf(at),
    dayOf(at),
    minutes * 60 * 16_000,
  );
}
