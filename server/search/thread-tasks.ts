import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import * as v from "valibot";
import type { Wanted } from "#contract/search/wanted.ts";
import { parseSegments } from "#server/transcription/segments-json.ts";
import { type Passage, passagesOf, type Searched } from "./passages.ts";
import { type Candidate, type Ranked, rank } from "./rank.ts";

/** A query for candidates, or for counts. */
export interface Statement {
  sql: string;
  parameters: readonly SQLInputValue[];
}

interface Ranking {
  wanted: readonly Wanted[];
  skip: number;
  take: number;
}

const Candidates = v.array(
  v.object({
    id: v.number(),
    transcription_id: v.string(),
    date: v.number(),
    is_title: v.number(),
    terms: v.string(),
  }),
);
const Counts = v.array(v.object({ found: v.number() }));

/**
 * Tasks that would block the event loop; they run in a thread (thread-tasks.ts). SQLite's file is opened there for
 * reading.
 */
export const searchTasks = {
  searchedPassages: (input: Omit<Searched, "segments"> & { segments: string }): Passage[] =>
    passagesOf({ ...input, segments: parseSegments(input.segments) }),

  rankedPassages: ({ candidates, wanted, skip, take }: Ranking & { candidates: readonly Candidate[] }): Ranked =>
    rank(candidates, wanted, { skip, take }),

  /** The same, with candidates read from SQLite's file. */
  rankedInFile: ({ path, statement, wanted, skip, take }: Ranking & { path: string; statement: Statement }): Ranked =>
    rank(v.parse(Candidates, readIn(path, [statement])[0]), wanted, { skip, take }),

  countedInFile: ({ path, statements }: { path: string; statements: readonly Statement[] }): number[] =>
    readIn(path, statements).map((rows) => v.parse(Counts, rows)[0]?.found ?? 0),
};

function readIn(path: string, statements: readonly Statement[]): unknown[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    // biome-ignore lint/plugin: SQLite prepares no statement of more than 32,766 parameters.
    return statements.map(({ sql, parameters }) => db.prepare(sql).all(...parameters));
  } finally {
    db.close();
  }
}
