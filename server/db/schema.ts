/**
 * The tables. Each feature adds its own in `tables.ts`, beside its queries. Times are epoch milliseconds, flags are 0
 * or 1, JSON is text that is parsed with a schema of the contract, so that the same queries run on SQLite and
 * PostgreSQL.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it has what the features declare
export interface Schema {}
