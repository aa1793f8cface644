import { join } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import type { CompiledQuery } from "kysely";
import type { SearchAnswer, SearchHit } from "#contract/index.ts";
import { marksIn } from "#contract/search/marks.ts";
import { singleWordsIn, type Wanted, wantedIn } from "#contract/search/wanted.ts";
import { type Db, isPostgres } from "#server/db/open.ts";
import { storable } from "#server/db/values.ts";
import { shortMs } from "#server/threads/queues.ts";
import type { Threads } from "#server/threads/threads.ts";
import type { SearchIndex } from "./indexing.ts";
import {
  candidateQuery,
  countBehind,
  countQuery,
  type Filters,
  type FoundRow,
  listFound,
  maxCandidates,
  run,
} from "./queries.ts";
import type { Candidate, Ranked } from "./rank.ts";
import { tagOf } from "./terms.ts";
import { type Statement, searchTasks } from "./thread-tasks.ts";

export interface FindParts {
  config: { dataDir: string };
  db: Db;
  threads: Threads;
  searchIndex: SearchIndex;
}

interface Asked {
  query: string;
  filters: Filters;
  /** Hits to leave out, and hits wanted. */
  skip: number;
  take: number;
}

export type Found = Omit<SearchAnswer, "model">;

/** How long a search waits for the index to take in the latest changes (milliseconds). */
const catchUpMs = 1_000;

/**
 * Searches a user's transcripts. If no passage has all of the words, finds the passages that have some of them.
 * @param onlySingly searches for each word separately, as for a question
 * @throws Problem `tooLarge` when it takes too long
 */
export async function find(parts: FindParts, userId: string, asked: Asked, onlySingly = false): Promise<Found> {
  await parts.searchIndex.catchUp({ userId, ms: catchUpMs });
  const behind = await countBehind(parts.db, userId);
  const tag = tagOf(userId);
  const all = onlySingly ? [] : wantedIn(tag, asked.query);
  const strict = all.length === 0 ? nothing : await ranked(parts, userId, { ...asked, wanted: all, mode: "all" });
  if (strict.total > 0) return answerOf(parts, userId, { ranked: strict, wanted: all, matched: "all", behind });
  const single = singleWordsIn(tag, asked.query);
  const rare = await rarest(parts, userId, single);
  if (rare.length === 0) return { hits: [], total: 0, hasMore: false, matched: "all", behind };
  const loose = await ranked(parts, userId, { ...asked, wanted: single, match: rare, mode: "any" });
  return answerOf(parts, userId, { ranked: loose, wanted: single, matched: "any", behind });
}

const nothing: Ranked = { ids: [], total: 0 };

interface Ranking extends Asked {
  /** The terms that rank the passages. */
  wanted: readonly Wanted[];
  /** The terms that select the passages. Default: `wanted`. */
  match?: readonly Wanted[];
  mode: "all" | "any";
}

/** SQLite's index is read in a thread, because a query blocks the event loop while it runs. */
async function ranked(parts: FindParts, userId: string, { wanted, match = wanted, mode, filters, skip, take }: Ranking) {
  const { db, threads } = parts;
  const query = candidateQuery(db, userId, { wanted: match, mode, filters });
  if (isPostgres(db)) {
    const candidates: Candidate[] = await run(db, query);
    const size = candidates.reduce((sum, { terms }) => sum + terms.length, 0);
    return threads.run(searchTasks.rankedPassages, { candidates, wanted, skip, take }, { person: userId, size });
  }
  const input = { path: fileOf(parts), statement: statementOf(query), wanted, skip, take };
  return threads.run(searchTasks.rankedInFile, input, { person: userId, timeoutMs: shortMs });
}

/**
 * Chooses the terms to select by. The rarest say most, so more frequent ones are added only while the passages stay few
 * enough.
 */
async function rarest(parts: FindParts, userId: string, wanted: readonly Wanted[]): Promise<Wanted[]> {
  const { db, threads } = parts;
  const queries = wanted.map((one) => countQuery(db, userId, one));
  const statements = queries.map(statementOf);
  const counts = isPostgres(db)
    ? (await Promise.all(queries.map((query) => run(db, query)))).map(([row]) => Number(row?.found ?? 0))
    : await threads.run(searchTasks.countedInFile, { path: fileOf(parts), statements }, { person: userId, timeoutMs: shortMs });
  const byCount = wanted
    .map((one, at) => ({ one, count: counts[at] ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => a.count - b.count);
  let sum = 0;
  return byCount.flatMap(({ one, count }, at) => {
    sum += count;
    return at === 0 || sum <= maxCandidates ? [one] : [];
  });
}

const fileOf = ({ config }: FindParts): string => join(config.dataDir, "parlance.db");

function statementOf({ sql, parameters }: CompiledQuery<unknown>): Statement {
  return { sql, parameters: parameters.map(bindable) };
}

function bindable(given: unknown): SQLInputValue {
  const value = storable(given);
  if (typeof value === "string" || typeof value === "number") return value;
  throw new TypeError("A search value must be a text or a number.");
}

interface Answering {
  ranked: Ranked;
  wanted: readonly Wanted[];
  matched: Found["matched"];
  behind: number;
}

async function answerOf(
  { db }: FindParts,
  userId: string,
  { ranked: { ids, total }, wanted, matched, behind }: Answering,
): Promise<Found> {
  const rows = ids.length === 0 ? [] : await listFound(db, userId, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const tag = tagOf(userId);
  const hits = ids.flatMap((id) => {
    const row = byId.get(id);
    return row === undefined ? [] : [hitOf(row, tag, wanted)];
  });
  return { hits, total: Math.min(total, maxCandidates), hasMore: total > maxCandidates, matched, behind };
}

function hitOf(row: FoundRow, tag: string, wanted: readonly Wanted[]): SearchHit {
  const translated = marksIn(row.translation, tag, wanted);
  return {
    id: row.transcription_id,
    title: row.title,
    date: new Date(row.date).toISOString(),
    language: row.language,
    speaker: row.speaker,
    start: row.starts_at,
    end: row.ends_at,
    text: row.text,
    marks: marksIn(row.text, tag, wanted),
    translation: translated.length === 0 ? null : { text: row.translation, marks: translated },
    isTitle: row.is_title === 1,
  };
}
