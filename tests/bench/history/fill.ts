import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { titleKey } from "#contract/index.ts";
import { manyTranscriptions } from "#tests/bench/many.ts";

/** A user with a session. */
export interface SignedIn {
  id: string;
  sessionId: string;
  email: string;
}

const idOf = (kind: number, index: number) => `0000000${kind}-0000-4000-8000-${index.toString().padStart(12, "0")}`;

/**
 * Fills the database, in one transaction, with people who each have this many transcriptions, as requests would have
 * written them.
 * @param series from 0; another series has other people
 * @returns all people
 */
export function fillHistories(dataDir: string, people: number, transcriptionsEach: number, series = 0): SignedIn[] {
  using db = new DatabaseSync(join(dataDir, "parlance.db"), { timeout: 60_000 });
  const now = Date.now();
  // A cache of half a gigabyte, because index entries are inserted in random order.
  db.exec("pragma foreign_keys = off; pragma cache_size = -500000; begin immediate");
  const user = db.prepare("insert into users (id, email, name, password_hash, created_at) values (?, ?, 'Somebody', '', ?)");
  const session = db.prepare("insert into sessions (id, user_id, created_at, seen_at) values (?, ?, ?, ?)");
  const transcription = db.prepare(
    `insert into transcriptions (id, user_id, client_id, title, text, translated_text, haystack, source_language, target_language,
       date, status, origin, duration_seconds, audio_type, segments, revision, weight, title_key)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'audio/wav', '[]', ?, ?, ?)`,
  );
  const texts = manyTranscriptions(1_000);
  const all = Array.from({ length: people }, (_, index): SignedIn => {
    const email = `somebody-${series}-${index}@example.org`;
    return { id: idOf(series * 3 + 1, index), sessionId: idOf(series * 3 + 2, index), email };
  });
  for (const { id, sessionId, email } of all) {
    user.run(id, email, now);
    session.run(sessionId, id, now, now);
  }
  // The people's rows alternate, as they would in daily use.
  for (let number = 0; number < transcriptionsEach; number++) {
    for (const [index, { id }] of all.entries()) {
      const made = texts[(index * 7 + number) % texts.length];
      if (made === undefined) throw new Error("There are texts for all.");
      const own = idOf(series * 3 + 3, number * people + index);
      const { title, text, translatedText, sourceLanguage, targetLanguage, status, origin, durationSeconds } = made;
      const haystack = `${title}\0${text}\0${translatedText}`.toLowerCase();
      const named = [own, id, own, title, text, translatedText, haystack, sourceLanguage, targetLanguage] as const;
      const date = now - (transcriptionsEach - number) * 3_600_000;
      // Includes the segments, "[]".
      const weight = text.length + translatedText.length + haystack.length + 2;
      transcription.run(...named, date, status ?? "completed", origin, durationSeconds, number + 1, weight, titleKey(title));
    }
  }
  db.exec("commit; pragma wal_checkpoint(truncate); analyze");
  return all;
}
