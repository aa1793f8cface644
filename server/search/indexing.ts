import { setImmediate } from "node:timers/promises";
import { type Db, isPostgres } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { describeError, type Log } from "#server/log/log.ts";
import type { Threads } from "#server/threads/threads.ts";
import {
  type Behind,
  deletePassages,
  eraseSome,
  insertPassages,
  listBehind,
  listPassages,
  noteIndexed,
  noteUnknown,
} from "./index-queries.ts";
import type { Passage } from "./passages.ts";
import { findSearched } from "./queries.ts";
import { tagOf } from "./terms.ts";
import { searchTasks } from "./thread-tasks.ts";

/**
 * The index of what was said. Every change of a transcription is noted (transcription/queries.ts); the index reads
 * those notes.
 */
export interface SearchIndex {
  /**
   * Indexes the latest changes, for at most `ms` milliseconds. Transcriptions in progress are left for later.
   * @param userId undefined: all users
   */
  catchUp(wanted: { userId?: string; ms: number }): Promise<void>;
  /** Removes deleted passages and overwrites them. @param ms default: until none is left */
  erase(ms?: number): Promise<void>;
  /** Stops after the transcription that is being indexed. */
  close(): void;
}

interface Parts {
  db: Db;
  threads: Threads;
  log: Log;
}

/** Transcriptions listed at once. */
const listed = 50;
/** Passages written in one transaction. It takes some milliseconds, and with SQLite it blocks this process. */
const writtenAtOnce = { sqlite: 20, postgres: 200 } as const;
/** Passages deleted in one transaction. */
const deletedAtOnce = 200;

export function createSearchIndex(parts: Parts): SearchIndex {
  const { db } = parts;
  const busy = new Map<string, Promise<void>>();
  /** Versions that could not be indexed, by id. A transcription is tried again when it has changed. */
  const failed = new Map<string, number>();
  /** Whether the index knows all transcriptions. Once true, it stays true. */
  let isComplete = false;
  let isClosed = false;
  const one = (behind: Behind): Promise<void> => {
    const { transcription_id: id, version } = behind;
    if (failed.get(id) === version) return Promise.resolve();
    const known = busy.get(id);
    if (known !== undefined) return known;
    const reading = read(parts, behind)
      .catch((error: unknown) => {
        // The user has too many tasks waiting: it is indexed once they are fewer.
        if (error instanceof Problem && error.code === "tooManyAtOnce") return;
        failed.set(id, version);
        parts.log.warn("search index not updated", { transcription: id, ...describeError(error) });
      })
      .finally(() => busy.delete(id));
    busy.set(id, reading);
    return reading;
  };
  return {
    catchUp: async ({ userId, ms }) => {
      const end = performance.now() + ms;
      const isOver = () => isClosed || performance.now() > end;
      if (!isComplete) {
        for (let last: string | undefined = ""; last !== undefined && !isOver(); last = await noteUnknown(db, userId, last)) {
          await setImmediate();
        }
        isComplete = userId === undefined && !isOver();
      }
      let after: Behind | undefined;
      do {
        const behind = await listBehind(db, userId, after, listed);
        for (const transcription of behind) {
          if (isOver()) return;
          await one(transcription);
          await setImmediate();
        }
        after = behind.at(-1);
      } while (after !== undefined);
    },
    erase: async (ms = Number.POSITIVE_INFINITY) => {
      const end = performance.now() + ms;
      while (!isClosed && performance.now() < end && (await eraseSome(db))) await setImmediate();
    },
    close: () => {
      isClosed = true;
    },
  };
}

/** Writes the passages of one transcription in portions. None can be found before all are written. */
async function read({ db, threads }: Parts, behind: Behind): Promise<void> {
  const row = await findSearched(db, behind.transcription_id);
  if (row === undefined || row.status === "processing" || row.status === "pending") return;
  const { title, text, segments, source_language: language } = row;
  const given = { tag: tagOf(behind.user_id), title, text, language, segments };
  const wanted = { person: behind.user_id, size: segments.length + text.length };
  const passages = await threads.run(searchTasks.searchedPassages, given, wanted);
  const { fresh, gone } = difference(await listPassages(db, row.id), passages);
  for (let at = 0; at < gone.length; at += deletedAtOnce) {
    await deletePassages(db, gone.slice(at, at + deletedAtOnce));
    await setImmediate();
  }
  const portion = isPostgres(db) ? writtenAtOnce.postgres : writtenAtOnce.sqlite;
  for (let at = 0; at < fresh.length; at += portion) {
    if (!(await insertPassages(db, behind, fresh.slice(at, at + portion)))) return;
    await setImmediate();
  }
  await noteIndexed(db, behind, passages.length, row.date);
}

type StoredPassage = Omit<Passage, "terms"> & { id: number };

/** The passages to add, and the ids of those to delete. Unchanged passages stay. */
function difference(before: readonly StoredPassage[], after: readonly Passage[]): { fresh: Passage[]; gone: number[] } {
  const left = Map.groupBy(before, keyOf);
  const fresh = after.filter((passage) => left.get(keyOf(passage))?.pop() === undefined);
  return { fresh, gone: [...left.values()].flat().map(({ id }) => id) };
}

const keyOf = (passage: Omit<Passage, "terms">): string =>
  JSON.stringify([
    passage.starts_at,
    passage.ends_at,
    passage.speaker,
    passage.language,
    passage.text,
    passage.translation,
    passage.is_title,
  ]);
