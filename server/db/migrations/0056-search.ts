import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * The tables of the search in all transcripts. They are empty at first: the server fills them while it runs
 * (search/indexing.ts), so that the start after an update is as fast as any other.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("search_documents")
    .addColumn("transcription_id", "text", (c) => c.primaryKey().references("transcriptions.id").onDelete("cascade"))
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("date", "bigint", (c) => c.notNull())
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("indexed", "integer", (c) => c.notNull())
    .execute();
  await sql`create index search_documents_behind on search_documents (user_id, transcription_id) where indexed <> version`.execute(
    db,
  );
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const number = isPostgres ? sql`bigint generated always as identity` : sql`integer`;
  await db.schema
    .createTable("passages")
    .addColumn("id", number, (c) => (isPostgres ? c.primaryKey() : c.primaryKey().autoIncrement()))
    .addColumn("transcription_id", "text", (c) => c.notNull().references("search_documents.transcription_id").onDelete("cascade"))
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("starts_at", "double precision")
    .addColumn("ends_at", "double precision")
    .addColumn("speaker", "text")
    .addColumn("language", "text", (c) => c.notNull())
    .addColumn("text", "text", (c) => c.notNull())
    .addColumn("translation", "text", (c) => c.notNull())
    .addColumn("is_title", "integer", (c) => c.notNull())
    .addColumn("terms", "text", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("passages_of_transcription").on("passages").column("transcription_id").execute();
  await (isPostgres ? indexOfPostgres(db) : indexOfSqlite(db));
}

/** The terms are what the server made of the words: no parser of PostgreSQL's own looks at them. */
async function indexOfPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create function passage_terms(terms text) returns tsvector language sql immutable parallel safe as $$
    select coalesce(string_agg(term || ':' || least(place, 16383), ' '), '')::tsvector
    from unnest(string_to_array(terms, ' ')) with ordinality as listed(term, place) where term <> ''
  $$`.execute(db);
  await sql`alter table passages add column found_by tsvector generated always as (passage_terms(terms)) stored`.execute(db);
  await sql`create index passages_found_by on passages using gin (found_by)`.execute(db);
}

/**
 * An index that overwrites deleted entries (secure-delete). That takes ms per passage, so it is done later:
 * `search_erased` has the passages that still have to be removed, however they were deleted.
 */
async function indexOfSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`create virtual table search_index using fts5(terms, content='passages', content_rowid='id', tokenize='ascii')`.execute(
    db,
  );
  await sql`insert into search_index(search_index, rank) values ('secure-delete', 1)`.execute(db);
  await sql`create table search_erased (id integer primary key, terms text not null)`.execute(db);
  await sql`create trigger passages_added after insert on passages begin
    insert into search_index(rowid, terms) values (new.id, new.terms);
  end`.execute(db);
  await sql`create trigger passages_removed after delete on passages begin
    insert into search_erased(id, terms) values (old.id, old.terms);
  end`.execute(db);
}
