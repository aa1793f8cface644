import type { Generated, Selectable } from "kysely";
import type { ErrorCode, InterfaceLanguage, Stage, TranscriptionStatus } from "#contract/index.ts";
import type { AdminSchema } from "./schema-admin.ts";
import type { BlogSchema } from "./schema-blog.ts";

/**
 * The tables. Times are epoch milliseconds, flags are 0 or 1, JSON is text that is parsed with a schema of the contract: so the same
 * queries run on SQLite and on PostgreSQL.
 */
export interface Schema extends BlogSchema, AdminSchema {
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
}

export interface UserTable {
  id: string;
  email: string;
  name: string;
  /** "" for an account that has none: it is entered through a provider. */
  password_hash: string;
  /** 1 when it is known that the e-mail is this person's. */
  email_verified: number;
  is_superuser: number;
  plan_type: string;
  /** Counts the changes of this person's transcriptions; each changed row gets the next number. */
  revision: number;
  /** What mails are written in. */
  language: InterfaceLanguage;
  /** The name of a picture's file; null for none. */
  avatar: string | null;
  created_at: number;
}
export type User = Selectable<UserTable>;

/** An account at a provider that opens one of ours. */
export interface IdentityTable {
  issuer: string;
  subject: string;
  user_id: string;
  created_at: number;
}

/** An account at a provider that is to open one of ours, and waits for that one's password. */
export interface PendingLinkTable {
  /** SHA-256 of the secret in the browser's cookie, hex. */
  hash: string;
  user_id: string;
  issuer: string;
  subject: string;
  /** At the provider; "" when it has told none. */
  email: string;
  /** Passwords that were tried. */
  attempts: number;
  expires_at: number;
}

/** One sign-in on one device: the family of its refresh tokens. */
export interface SessionTable {
  id: string;
  user_id: string;
  created_at: number;
  revoked_at: number | null;
  /** The browser, as it calls itself; null for sign-ins from before it was kept. */
  device: string | null;
  seen_at: number | null;
  /** When the person last proved at a provider, in this session, who they are; null for never. */
  confirmed_at: Generated<number | null>;
}

export interface RefreshTokenTable {
  /** SHA-256 of the token, hex. */
  hash: string;
  session_id: string;
  created_at: number;
  expires_at: number;
  replaced_at: number | null;
  successor_hash: string | null;
  /** The successor, readable only with this very token (session/refresh-tokens.ts). */
  sealed_successor: string | null;
}

/** What a page exchanges for a token, once, when somebody comes back from another provider. */
export interface ReturnCodeTable {
  /** SHA-256 of the code, hex. */
  hash: string;
  user_id: string;
  expires_at: number;
}

/** What an account signs its known devices with (session/devices.ts). Gone when a credential was changed: then no device is known. */
export interface DeviceKeyTable {
  user_id: string;
  key: string;
}

/** Failed sign-ins and registrations of late, counted under a hash of address and account. */
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
  /** Title, text and translated text in lower case: what the search looks through. */
  haystack: string;
  /** Characters of its texts and segments: known from the index alone (db/portions.ts). */
  weight: number;
  source_language: string;
  target_language: string | null;
  date: number;
  status: TranscriptionStatus;
  origin: "dictation" | "upload" | "url" | "conversation";
  duration_seconds: number | null;
  /** Content type of the audio; null when there is none. */
  audio_type: string | null;
  file_name: string | null;
  engine: string | null;
  /** JSON: Segment[] */
  segments: string;
  stage: Stage | null;
  fraction: number | null;
  seconds_left: number | null;
  error_code: ErrorCode | null;
  error_message: string | null;
  revision: number;
  deleted_at: number | null;
  /** Names and terms to expect in it; for engines that listen to them. */
  vocabulary: string | null;
  /** 1 when its speakers are to be told apart. */
  speakers: Generated<number>;
}

/** A file that is arriving in parts. Gone when the file has come, or was given up. */
export interface UploadTable {
  /** Of the transcription that it will be. */
  id: string;
  user_id: string;
  client_id: string;
  /** Of the whole file, in bytes. */
  size: number;
  /** JSON: what is asked for with it (UploadFields as they were sent). */
  fields: string;
  file_name: string;
  file_type: string;
  created_at: number;
}

/** One transcription that is being made. The row is gone when it is finished or has failed for good. */
export interface JobTable {
  transcription_id: string;
  created_at: number;
  run_after: number;
  /** 1 while its transcription is deleted but may come back. */
  paused: number;
  worker_id: string | null;
  lease_until: number | null;
  /** Attempts that ended in an error. */
  failures: number;
  /**
   * 1 when it was under way in a process that has died, and has finished nothing since: it goes on in quarantine. 2 when it was given up
   * for that and is tried again: it stays there.
   */
  suspect: Generated<number>;
  /** How often the quarantine's process has died of it since it has last finished something. */
  crashes: number;
  /** Length of the decoded audio; null until it is decoded completely. */
  decoded_samples: number | null;
  truncated: number;
}

/** A stretch of a job's audio. Finished ones survive the worker's death. */
export interface PieceTable {
  transcription_id: string;
  idx: number;
  start_sample: number;
  end_sample: number;
  done: number;
  translated: number;
  /** JSON: Segment[], times from the beginning of the whole audio. */
  segments: string;
}

/** A live dictation whose audio is not part of a transcription yet. */
export interface RecordingTable {
  id: string;
  user_id: string;
  /** The page's name for it. */
  recording_id: string;
  source_language: string;
  target_language: string | null;
  created_at: number;
  touched_at: number;
  /** The connection that feeds it. */
  owner: string | null;
  /** Up to here every word is final. */
  final_sample: number;
  /** Frames in all, once the page has said so and every word is final. */
  total_frames: number | null;
  /** Set when its audio has become a transcription's. */
  transcription_id: string | null;
}

export interface RecordingSegmentTable {
  recording: string;
  idx: number;
  segment: string;
}

/** One turn of a conversation. A deleted one is remembered, so that it does not come back. */
export interface TurnTable {
  user_id: string;
  /** The page's name for the conversation: the client id of its transcription, which may not be there (yet). */
  conversation_id: string;
  /** The page's name for the turn, and for its recording. */
  turn_id: string;
  date: number;
  /** Its share of the conversation's audio, at 16,000 a second; 0 when it was typed. */
  samples: number;
  deleted: number;
}

/** Conversations whose audio file may not yet be what their turns say. */
export interface UnsettledAudioTable {
  transcription_id: string;
  /** The file that takes its place, if a new one was written. */
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
  /** Who is paid: null for one that was given. */
  provider: "test" | "stripe" | null;
  /** The person and the subscription, as the provider calls them. */
  customer_id: string | null;
  external_id: string | null;
  /** When the provider was asked for what stands here, epoch ms. */
  synced_at: number;
}

/** A transcription whose recording is not here yet. */
export interface FetchTable {
  transcription_id: string;
  /** Where it is to be had. */
  url: string;
}

/** Audio that somebody has had recognised. It stays when the transcription is deleted. */
export interface UsageTable {
  user_id: string;
  /** The work that it was for; each counts once. */
  source: string;
  /** Calendar month (UTC) in which this part of the work was accepted: "2026-03". */
  month: string;
  /** The day on which it began there: "2026-03-01"; null for work from before days were kept. */
  day: string | null;
  /** At 16,000 a second. */
  samples: number;
}

/** The links in mails: each works once. */
export interface AccountTokenTable {
  /** SHA-256 of the token, hex. */
  hash: string;
  user_id: string;
  purpose: "confirm" | "reset" | "newEmail" | "stopEmail";
  /** The address that it is about. */
  email: string;
  expires_at: number;
  /** The session that has asked for it, where that one goes on afterwards. */
  session_id: string | null;
}

/** Registered, and waiting for the address to be confirmed together with this password: not an account yet. */
export interface RegistrationTable {
  id: string;
  email: string;
  name: string;
  password_hash: string;
  language: InterfaceLanguage;
  created_at: number;
  expires_at: number;
}

/** The links in mails to addresses that wait. */
export interface RegistrationLinkTable {
  /** SHA-256 of the token, hex. */
  hash: string;
  email: string;
  expires_at: number;
}

/** Mails that wait to be sent or, without a mail server, to be looked at. */
export interface MailTable {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  created_at: number;
  next_at: number;
  attempts: number;
  /** Whose account it is about: it goes with the account. Null for mails about nobody's. */
  user_id: string | null;
  /** Where an answer goes, when that is not the sender. */
  reply_to: string | null;
}

/** Whom a person's encrypted audio is encrypted for, and the key, sealed twice (src/api/contract/vault.ts). */
export interface VaultTable {
  user_id: string;
  recipient: string;
  sealed: string;
  recovery_sealed: string;
  revision: number;
  created_at: number;
}

/** One recording in a vault. Its file is in the data folder. */
export interface VaultItemTable {
  id: string;
  user_id: string;
  client_id: string;
  transcription_id: string | null;
  meta: string;
  /** Bytes of the encrypted file, and how many of them are there. */
  size: number;
  received: number;
  has_text: number;
  created_at: number;
  /** When something of it came last. */
  touched_at: number;
  /** When it was whole. */
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

/** An address of the test payments' own pages. */
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

/** What a payment provider has told, so that telling it again changes nothing. */
export interface BillingEventTable {
  id: string;
  received_at: number;
}

/** What people wrote to whoever runs the server. */
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
