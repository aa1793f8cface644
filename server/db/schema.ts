import type { Generated, Selectable } from "kysely";
import type { ErrorCode, InterfaceLanguage, Origin, SignInMethod, Stage, TranscriptionStatus } from "#contract/index.ts";
import type { AdminSchema } from "./schema-admin.ts";
import type { BlogSchema } from "./schema-blog.ts";
import type { FeedSchema } from "./schema-feeds.ts";
import type { FilingSchema } from "./schema-filing.ts";
import type { InsightSchema } from "./schema-insights.ts";
import type { NotesSchema } from "./schema-notes.ts";
import type { PasskeySchema } from "./schema-passkeys.ts";
import type { PeopleSchema } from "./schema-people.ts";
import type { RetentionSchema } from "./schema-retention.ts";
import type { SearchSchema } from "./schema-search.ts";
import type { SecondFactorSchema } from "./schema-second-factor.ts";
import type { SharingSchema } from "./schema-sharing.ts";
import type { VideoSchema } from "./schema-video.ts";
import type { WebhookSchema } from "./schema-webhooks.ts";

/**
 * The tables. Times are epoch milliseconds, flags are 0 or 1, JSON is text that is parsed with a schema of the contract, so that
 * the same queries run on SQLite and PostgreSQL.
 */
export interface Schema
  extends BlogSchema,
    AdminSchema,
    InsightSchema,
    SharingSchema,
    FeedSchema,
    FilingSchema,
    NotesSchema,
    PeopleSchema,
    PasskeySchema,
    RetentionSchema,
    SearchSchema,
    SecondFactorSchema,
    VideoSchema,
    WebhookSchema {
  users: UserTable;
  identities: IdentityTable;
  pending_links: PendingLinkTable;
  sessions: SessionTable;
  refresh_tokens: RefreshTokenTable;
  device_keys: DeviceKeyTable;
  attempts: AttemptTable;
  return_codes: ReturnCodeTable;
  transcriptions: TranscriptionTable;
  uploads: UploadTable;
  jobs: JobTable;
  pieces: PieceTable;
  recordings: RecordingTable;
  recording_segments: RecordingSegmentTable;
  turns: TurnTable;
  unsettled_audio: UnsettledAudioTable;
  audio_sizes: AudioSizeTable;
  subscriptions: SubscriptionTable;
  vaults: VaultTable;
  vault_items: VaultItemTable;
  account_tokens: AccountTokenTable;
  registrations: RegistrationTable;
  registration_links: RegistrationLinkTable;
  mails: MailTable;
  inbox: InboxTable;
  waitlist: WaitlistTable;
  invoices: InvoiceTable;
  billing_pages: BillingPageTable;
  billing_events: BillingEventTable;
  usage: UsageTable;
  fetches: FetchTable;
  vocabularies: VocabularyTable;
  voice_consents: VoiceConsentTable;
  voice_profiles: VoiceProfileTable;
  voices: VoiceTable;
  processes: ProcessTable;
  claims: ClaimTable;
  signing_keys: SigningKeyTable;
  watched_files: WatchedFileTable;
  personal_tokens: PersonalTokenTable;
  sign_ins: SignInTable;
}

export interface UserTable {
  id: string;
  email: string;
  name: string;
  /** "" for an account without a password, which has federated sign-in only. */
  password_hash: string;
  /** 1 when the user has proven to own the address. */
  email_verified: number;
  is_superuser: number;
  plan_type: string;
  /** Version counter of this user's transcriptions; each changed row gets the next number. */
  revision: number;
  /** The revision at which their folders or tags have changed last. */
  filing_revision: Generated<number>;
  /** The language of mails. */
  language: InterfaceLanguage;
  /** File name of the avatar; null for none. */
  avatar: string | null;
  created_at: number;
  /** When an operator has blocked it (epoch ms): nobody signs in, nothing is transcribed. Null: it is open. */
  blocked_at: number | null;
}
export type User = Selectable<UserTable>;

/** A provider's account linked to one of ours. */
export interface IdentityTable {
  issuer: string;
  subject: string;
  user_id: string;
  created_at: number;
}

/** A provider's account to be linked to one of ours once its password is entered. */
export interface PendingLinkTable {
  /** SHA-256 of the secret in the browser's cookie, hex. */
  hash: string;
  user_id: string;
  issuer: string;
  subject: string;
  /** According to the provider; "" for none. */
  email: string;
  /** Password attempts. */
  attempts: number;
  expires_at: number;
}

/** A session on one device: a family of refresh tokens. */
export interface SessionTable {
  id: string;
  user_id: string;
  created_at: number;
  revoked_at: number | null;
  /** The browser's user agent; null for sessions from before it was stored. */
  device: string | null;
  seen_at: number | null;
  /** When the user last authenticated at a provider in this session; null for never. */
  confirmed_at: Generated<number | null>;
  /** The passkey with which it began, which may be gone by now; null for another way. */
  passkey_id: Generated<string | null>;
}

export interface RefreshTokenTable {
  /** SHA-256 of the token, hex. */
  hash: string;
  session_id: string;
  created_at: number;
  expires_at: number;
  replaced_at: number | null;
  successor_hash: string | null;
  /** The successor, encrypted with a key derived from this token (session/refresh-tokens.ts). */
  sealed_successor: string | null;
}

/** A code that the page exchanges for a token, once, after a federated sign-in. */
export interface ReturnCodeTable {
  /** SHA-256 of the code, hex. */
  hash: string;
  user_id: string;
  expires_at: number;
}

/** The key that signs an account's device passes (session/devices.ts). Deleted when a credential changes. */
interface DeviceKeyTable {
  user_id: string;
  key: string;
}

/** Recent attempts, such as sign-ins and registrations, counted under a hash of address and account. */
export interface AttemptTable {
  key: string;
  count: number;
  resets_at: number;
}

export interface TranscriptionTable {
  id: string;
  user_id: string;
  client_id: string;
  recording_id: string | null;
  title: string;
  text: string;
  translated_text: string;
  /** Title, text and translated text in lower case, for the search. */
  haystack: string;
  /** By what it is sorted by title. */
  title_key: string;
  /** Characters of its texts and segments, read from the index alone (db/portions.ts). */
  weight: number;
  source_language: string;
  target_language: string | null;
  date: number;
  status: TranscriptionStatus;
  origin: Origin;
  duration_seconds: number | null;
  /** Content type of the audio; null when there is none. */
  audio_type: string | null;
  file_name: string | null;
  engine: string | null;
  /** JSON: Segment[] */
  segments: string;
  /** JSON: translations of languages that are not chosen now (transcription/hidden.ts). */
  hidden_translations: Generated<string>;
  stage: Stage | null;
  fraction: number | null;
  seconds_left: number | null;
  error_code: ErrorCode | null;
  error_message: string | null;
  revision: number;
  /** When it was moved to the trash; null for those that are not in it. */
  deleted_at: number | null;
  /** When the sweep has seen that the last day of one in the trash has begun; null before. */
  doomed_at: Generated<number | null>;
  /** Nobody sees it in the trash: 1 when the next sweep erases it; 2 when it has nothing, and comes back by itself when it gets something. */
  erasing: Generated<number>;
  /** Names and terms to expect in it, for engines that support hints. */
  vocabulary: string | null;
  /** 1 for speaker diarisation. */
  speakers: Generated<number>;
  /** How many speakers there are, where somebody has said it. */
  speaker_count: Generated<number | null>;
}

/** A resumable upload. Deleted when it is complete or expired. */
export interface UploadTable {
  /** The id of the transcription that it becomes. */
  id: string;
  user_id: string;
  client_id: string;
  /** Of the complete file, in bytes. */
  size: number;
  /** JSON: the options (UploadFields as they were sent). */
  fields: string;
  file_name: string;
  file_type: string;
  created_at: number;
}

/** A transcription's job. Deleted when it is finished or has failed for good. */
export interface JobTable {
  transcription_id: string;
  created_at: number;
  run_after: number;
  /** 1 while its transcription is deleted but can still be restored. */
  paused: number;
  worker_id: string | null;
  lease_until: number | null;
  /** Attempts that ended in an error. */
  failures: number;
  /**
   * 1 when it was running in a process that died, and has made no progress since: it runs in quarantine. 2 when it was given up
   * for that and is retried: it stays there.
   */
  suspect: Generated<number>;
  /** How often it has crashed the quarantine process since its last progress. */
  crashes: number;
  /** How often a process that ran it alone has ended without a cause of its own (killed from outside) since its last progress. */
  kills: Generated<number>;
  /** 1 for the rest of a dictation: somebody has waited for it while it was spoken. */
  urgent: Generated<number>;
  /** Its place in the line (jobs/turn-queries.ts): the lowest is next. Null until it is lined up. */
  turn: Generated<number | null>;
  /** 1 when the message queue has it (PostgreSQL only). */
  sent: Generated<number>;
  /** Whether other workers take pieces of it (jobs/sharing.ts). */
  shared: Generated<number>;
  /** How its pieces are heard: only a worker that hears in the same way may take one. Null: no other worker may. */
  heard_as: Generated<string | null>;
  /** Length of the decoded audio; null until decoding is complete. */
  decoded_samples: number | null;
  truncated: number;
  /** `diarize`, `check`: the transcription is finished and stays so; who speaks in it is found out (again), or which of its words are unsure. */
  task: Generated<JobTask>;
  /** Of the request that it comes from; null when it comes from none. */
  request_id: string | null;
  /** 1 when it is known who speaks: a later run of the job need not find out again. */
  diarized: Generated<number>;
}

export type JobTask = "transcribe" | "diarize" | "check";

/** A stretch of a job's audio. Finished pieces survive a crash of the worker. */
export interface PieceTable {
  transcription_id: string;
  idx: number;
  start_sample: number;
  end_sample: number;
  done: number;
  translated: number;
  /** JSON: Segment[], times from the start of the whole audio. */
  segments: string;
  /** Who hears it at the moment, and until when that counts without a heartbeat (epoch ms). */
  worker_id: Generated<string | null>;
  lease_until: Generated<number | null>;
  /** Who may hear it (jobs/sharing.ts). */
  reserved: Generated<number>;
}

/** A live dictation whose audio does not belong to a transcription yet. */
export interface RecordingTable {
  id: string;
  user_id: string;
  /** The client id. */
  recording_id: string;
  source_language: string;
  target_language: string | null;
  created_at: number;
  touched_at: number;
  /** The connection that feeds it. */
  owner: string | null;
  /** Every word before it is final. */
  final_sample: number;
  /** Total number of frames, once the page has sent it and every word is final. */
  total_frames: number | null;
  /** "browser": its words came from the page, which has a recogniser of its own; null: from an engine of the server. */
  heard_by: Generated<string | null>;
  /** Set when its audio belongs to a transcription. */
  transcription_id: string | null;
}

interface RecordingSegmentTable {
  recording: string;
  idx: number;
  segment: string;
}

/** A turn of a conversation. Deleted ones are kept, so that they do not come back. */
export interface TurnTable {
  user_id: string;
  /** The conversation's client id, also that of its transcription, which may not exist (yet). */
  conversation_id: string;
  /** The client id of the turn, and of its recording. */
  turn_id: string;
  date: number;
  /** Its share of the conversation's audio, at 16,000 a second; 0 for a typed turn. */
  samples: number;
  deleted: number;
}

/** How long the audio of a transcription is, once it was asked for where asking takes long (a bucket). */
interface AudioSizeTable {
  transcription_id: string;
  bytes: number;
}

/** Conversations whose audio file may not match their turns yet. */
interface UnsettledAudioTable {
  transcription_id: string;
  /** The new version that replaces the file, if one was written. */
  replacement: string | null;
}

export interface SubscriptionTable {
  id: string;
  user_id: string;
  status: string;
  plan: string;
  interval: "year" | "month" | null;
  period_end: number | null;
  cancel_at_period_end: number;
  created_at: number;
  /** The payment provider; null for a subscription granted by an admin. */
  provider: "test" | "stripe" | null;
  /** The provider's ids of the customer and the subscription. */
  customer_id: string | null;
  external_id: string | null;
  /** When this was last fetched from the provider, epoch ms. */
  synced_at: number;
}

/** A transcription whose recording is to be fetched. */
interface FetchTable {
  transcription_id: string;
  /** The URL. */
  url: string;
}

/** Recognised audio that counts for a user. Kept when the transcription is deleted. */
interface UsageTable {
  user_id: string;
  /** The work it was for; each counts once. */
  source: string;
  /** Calendar month (UTC) in which this part of the work was accepted: "2026-03". */
  month: string;
  /** The first day of it in that month: "2026-03-01"; null for work from before days were stored. */
  day: string | null;
  /** At 16,000 a second. */
  samples: number;
}

/** Mailed links; each works once. */
export interface AccountTokenTable {
  /** SHA-256 of the token, hex. */
  hash: string;
  user_id: string;
  purpose: "confirm" | "reset" | "newEmail" | "stopEmail";
  /** The address concerned. */
  email: string;
  expires_at: number;
  /** The session that requested it, if it is kept after the change. */
  session_id: string | null;
}

/** A pending registration: becomes an account when its address is confirmed together with this password. */
export interface RegistrationTable {
  id: string;
  email: string;
  name: string;
  password_hash: string;
  language: InterfaceLanguage;
  created_at: number;
  expires_at: number;
}

/** Mailed links to the addresses of pending registrations. */
export interface RegistrationLinkTable {
  /** SHA-256 of the token, hex. */
  hash: string;
  email: string;
  expires_at: number;
}

/** Mails to be sent or, without a mail server, to be viewed. */
export interface MailTable {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  created_at: number;
  next_at: number;
  attempts: number;
  /** The account concerned: mails are deleted with it. Null for mails without an account. */
  user_id: string | null;
  /** Reply-To, when it is not the sender. */
  reply_to: string | null;
}

/** A vault's public key, and its private key encrypted twice (contract/vault.ts). */
export interface VaultTable {
  user_id: string;
  recipient: string;
  sealed: string;
  recovery_sealed: string;
  revision: number;
  created_at: number;
}

/** A recording in a vault. Its file is in the data folder. */
export interface VaultItemTable {
  id: string;
  user_id: string;
  client_id: string;
  transcription_id: string | null;
  meta: string;
  /** Size of the encrypted file, and the bytes received so far. */
  size: number;
  received: number;
  has_text: number;
  created_at: number;
  /** Time of the last bytes received. */
  touched_at: number;
  /** When it was complete. */
  arrived_at: number | null;
}

export interface InvoiceTable {
  id: string;
  user_id: string;
  subscription_id: string;
  /** In the currency's smallest unit. */
  amount: number;
  currency: string;
  status: "paid" | "open" | "void";
  created_at: number;
}

/** A URL of the test payments' own pages. */
export interface BillingPageTable {
  /** SHA-256 of the token in the address, hex. */
  hash: string;
  user_id: string;
  kind: "checkout" | "portal";
  interval: "year" | "month";
  page: string;
  expires_at: number;
  done: number;
}

/** Webhook events already processed, so that a repeated one changes nothing. */
interface BillingEventTable {
  id: string;
  received_at: number;
}

/** Messages to the operator of the server. */
export interface InboxTable {
  id: string;
  client_id: string;
  kind: "feedback" | "contact";
  user_id: string | null;
  name: string;
  email: string;
  rating: number | null;
  text: string;
  language: string;
  created_at: number;
  handled_at: number | null;
}

export interface WaitlistTable {
  email: string;
  language: string;
  created_at: number;
}

/** Names and terms to expect in everything that a person records, and what is written instead of what was heard. */
interface VocabularyTable {
  user_id: string;
  /** As the person wrote it (contract/vocabulary.ts). */
  text: string;
  /** Grows with every change. */
  revision: number;
}

/** Who has agreed that voices are recognised again: no row means that none is kept. */
interface VoiceConsentTable {
  user_id: string;
  /** Epoch ms. */
  since: number;
}

/** What somebody sounds like whom a person has named. */
export interface VoiceProfileTable {
  id: string;
  user_id: string;
  name: string;
  /** What the voice prints come from (voice-profiles/voice.ts): only those of the same can be compared. */
  model: string;
  /** JSON: the sum of the voice prints that it is made of, each with the length 1. */
  sum: string;
  /** How many recordings it is made of. */
  recordings: number;
  /** Epoch ms. */
  created_at: number;
  /** The date of the latest of these recordings, epoch ms. */
  heard_at: number;
}

/** A speaker of a diarized transcription. */
export interface VoiceTable {
  transcription_id: string;
  /** The number that the diarization gave it, from 0. */
  idx: number;
  user_id: string;
  model: string;
  /** JSON: the voice print, a vector of the length 1. Null once the profile that had it was deleted. */
  embedding: string | null;
  /** JSON: where it is heard, `[start, end][]` in seconds. */
  spans: string;
  /** What the transcript calls it now; null for nobody. */
  label: string | null;
  /** The profile that this voice is part of. */
  profile_id: string | null;
  /** The name by which it became part of that profile: it stays when the profile is deleted, so that it is not made again. */
  named: string | null;
  /** JSON: the ids of the profiles that it is not. */
  declined: string;
}

/** A process of an installation that has several. */
interface ProcessTable {
  id: string;
  /** When it last said that it is there, by its own clock. */
  seen_at: number;
}

/** What a process holds of something that all processes share: a place of a person, bytes of a quota. */
interface ClaimTable {
  id: string;
  /** SHA-256 of what it is of, hex. */
  key: string;
  process: string;
  amount: number;
}

/** A key that signs tokens, for processes without JWT_SECRET that share a database (session/key-queries.ts). */
interface SigningKeyTable {
  /** The newest has the highest. */
  position: number;
  secret: string;
  made_at: number;
}

/** What was found in the watched folder. A changed file is another version in the same row. */
export interface WatchedFileTable {
  /** Absolute. */
  path: string;
  user_id: string;
  /** Bytes. */
  size: number;
  /** Of the file (epoch ms). */
  modified_at: number;
  /** null while it is `refused`. */
  transcription_id: string | null;
  /** Name of the results without ending; null: none has been written yet. */
  results: string | null;
  /** `taken`: its results are due; `failed`: that was told, it may be made anew; `done`; `refused`: it was not taken, which was told. */
  state: "taken" | "failed" | "done" | "refused";
  /** Epoch ms. */
  found_at: number;
}

/** A personal access token. */
export interface PersonalTokenTable {
  /** 16 hex digits, part of the token. */
  id: string;
  user_id: string;
  /** SHA-256 of the whole token, hex. */
  hash: string;
  name: string;
  /** JSON: the scopes (contract/personal-tokens.ts). */
  scopes: string;
  /** Epoch ms. */
  created_at: number;
  /** Epoch ms. */
  expires_at: number;
  /** Epoch ms, to the minute; null for never. */
  used_at: number | null;
}

/** A sign-in, of which its owner can tell whether it was theirs. It outlives its session. */
export interface SignInTable {
  /** Its session's. */
  id: string;
  user_id: string;
  /** Epoch ms. */
  at: number;
  method: SignInMethod;
  /** The browser's user agent; null for none. */
  device: string | null;
}
