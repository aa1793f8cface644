import * as v from "valibot";
import { acceptedRows } from "./accepted.ts";
import { OwnPassword } from "./settings.ts";

/**
 * What a personal access token may do. Nothing else: whatever has no scope here (credentials, tokens, sessions, payments, the vault,
 * voices, deleting the account or anything for ever, administration) needs a session.
 */
export const tokenScopes = [
  /** Read transcriptions: the history, texts, audio, exports, events, the trash. */
  "transcriptions:read",
  /** Upload, transcribe an address, correct, put into the trash and take out of it. */
  "transcriptions:write",
  /** Translate texts, and have them spoken. */
  "translations",
  "vocabulary",
  /** Read the profile, and what is used of minutes and storage. */
  "account:read",
] as const;
export const TokenScope = v.picklist(tokenScopes);
export type TokenScope = v.InferOutput<typeof TokenScope>;

/** Tokens of an account, expired ones not counted. */
export const maxPersonalTokens = 20;
/** The lifetimes that are offered, and the longest (days). */
export const tokenDays = [7, 30, 90, 365] as const;
const maxTokenDays = 366;

/** POST /users/me/tokens */
export const NewPersonalToken = v.object({
  /** What it is for, in the person's own words. */
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)),
  scopes: v.pipe(v.array(TokenScope), v.minLength(1), v.maxLength(tokenScopes.length)),
  /** When it ends: days from now. */
  days: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxTokenDays)),
  password: OwnPassword,
});
export type NewPersonalToken = v.InferInput<typeof NewPersonalToken>;

/** A token without its secret. Times are ISO 8601, UTC. */
export const PersonalToken = v.object({
  /** Its beginning, which is no secret: `parlance_<id>_…`. */
  id: v.string(),
  name: v.string(),
  scopes: acceptedRows(TokenScope),
  createdAt: v.string(),
  /** It does nothing from then on. */
  expiresAt: v.string(),
  /** To the minute; null for never. */
  lastUsedAt: v.nullable(v.string()),
});
export type PersonalToken = v.InferOutput<typeof PersonalToken>;

/** GET /users/me/tokens: newest first, expired ones for 30 more days. DELETE of …/{id} revokes one. */
export const PersonalTokensAnswer = v.object({ tokens: v.array(PersonalToken) });
export type PersonalTokensAnswer = v.InferOutput<typeof PersonalTokensAnswer>;
/** The answer to a new one: the only time that its secret is sent. */
export const CreatedPersonalToken = v.object({ token: v.string(), ...PersonalToken.entries });
export type CreatedPersonalToken = v.InferOutput<typeof CreatedPersonalToken>;
