/** A table of which each row counts as a person's storage: its texts, `rowBytes`, and `more`. */
export interface CountedTable {
  name: string;
  /** The column with the person. Default: `user_id`. */
  owner?: string;
  /**
   * Instead of `owner`: the parent's table, which has `user_id`, and the column with the parent's id. Rows go with
   * their parent.
   */
  through?: { table: "transcriptions" | "recordings"; column: string };
  /** SQL for the bytes of the row's files. @param row the row's alias */
  more?: (row: string) => string;
}

/** The fixed cost of a row: ids, numbers, state and indexes (bytes). */
export const rowBytes = 300;

/** Short columns that the server writes. They do not count, so a job of a person without room can end. */
const stateColumns: ReadonlySet<string> = new Set([
  ...["status", "state", "stage", "error", "error_code", "error_message", "reason", "pause_reason", "problem", "run", "owner"],
  ...["origin", "engine", "model", "kind", "content", "language", "source_language", "target_language", "audio_type", "heard_by"],
  ...["role", "colour", "lock", "event", "etag", "last_modified"],
  // These follow from other columns.
  ...["haystack", "title_key", "name_key"],
]);

/** Whether a text column counts. */
export const isCounted = (column: string): boolean => !stateColumns.has(column) && !/(^|_)(id|hash)$/.test(column);

const ofTranscription = { table: "transcriptions", column: "transcription_id" } as const;

/**
 * Every table that counts as a person's storage. Triggers add up the rows (ledger.ts), so no statement and no cascade
 * is missed. A migration that changes one of these tables calls `installLedger`.
 */
export const countedTables: readonly CountedTable[] = [
  { name: "transcriptions" },
  { name: "audio_sizes", through: ofTranscription, more: (row) => `${row}.bytes` },
  { name: "pieces", through: ofTranscription },
  { name: "fetches", through: ofTranscription },
  { name: "transcription_tags", through: ofTranscription },
  { name: "recordings", more: (row) => `(case when ${row}.transcription_id is null then ${row}.bytes else 0 end)` },
  { name: "recording_segments", through: { table: "recordings", column: "recording" } },
  { name: "uploads", more: (row) => `${row}.size` },
  { name: "turns" },
  { name: "notes" },
  { name: "insights" },
  { name: "insight_templates" },
  { name: "videos" },
  { name: "voices" },
  { name: "voice_profiles" },
  { name: "vocabularies" },
  { name: "folders" },
  { name: "tags" },
  { name: "retention_rules" },
  { name: "feeds" },
  { name: "feed_episodes" },
  { name: "webhooks" },
  { name: "webhook_deliveries" },
  { name: "shared_links" },
  { name: "transcription_shares", owner: "owner_id" },
  { name: "vaults" },
  { name: "vault_items", more: (row) => `${row}.size + coalesce(${row}.text_bytes, 0)` },
  { name: "vault_links" },
];

const security = "what signing in needs: limited in number, and nobody is locked out of an account because it is full";
const payment = "what billing needs, and no text of the person";
const passing = "what the server sends or does next; it is deleted by itself";

/** Tables that belong to a person and do not count, and why. */
export const uncountedTables: Readonly<Record<string, string>> = {
  users: "the account itself, one row of limited length",
  storage_use: "the sum",
  account_tokens: security,
  device_keys: security,
  identities: security,
  passkey_challenges: security,
  passkeys: security,
  pending_links: security,
  pending_sign_ins: security,
  personal_tokens: security,
  recovery_codes: security,
  refresh_tokens: security,
  return_codes: security,
  second_factors: security,
  sessions: security,
  sign_ins: security,
  billing_pages: payment,
  checkouts: payment,
  invoices: payment,
  subscriptions: payment,
  usage: payment,
  audit_log: "the operator's: it outlives the account",
  blog_images: "the operator's",
  blog_posts: "the operator's",
  blog_days: "the operator's",
  blog_image_uses: "the operator's",
  blog_reactions: "the operator's",
  blog_slugs: "the operator's",
  blog_topics: "the operator's",
  blog_views: "the operator's",
  inbox: "a message to the operator, who has it from then on",
  watched_files: "the operator's folder",
  filings: "at most one row without text for each transcription, and whoever is full may still file it",
  endings: passing,
  jobs: passing,
  mails: passing,
  retention_notes: passing,
  unsettled_audio: passing,
  passages: "the search's index, which the server makes of what is counted",
  search_documents: "the search's index, which the server makes of what is counted",
  notice_settings: "one row of two flags",
  voice_consents: "one row of a date",
};
