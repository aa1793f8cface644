import * as v from "valibot";
import { acceptedRows } from "./accepted.ts";
import { OwnPassword } from "./settings.ts";

/**
 * The rights of a personal access token. Everything without a scope here needs a session: credentials, tokens,
 * sessions, payments, the vault, voices, deleting the account or anything for good, administration.
 */
export const tokenScopes = [
  /** Read transcriptions: the history, texts, audio, exports, events, the trash. */
  "transcriptions:read",
  /** Upload, transcribe a URL, correct, move to the trash and restore. */
  "transcriptions:write",
  /** Translate texts, and synthesize speech. */
  "translations",
  "vocabulary",
  /** Read the profile, and the usage of minutes and storage. */
  "account:read",
] as const;
export const TokenScope = v.picklist(tokenScopes);
export type TokenScope = v.InferOutput<typeof TokenScope>;

/** Most tokens of an account, without expired ones. */
export const maxPersonalTokens = 20;
/** The offered lifetimes, and the longest possible one (days). */
export const tokenDays = [7, 30, 90, 365] as const;
const maxTokenDays = 366;

/** POST /users/me/tokens */
export const NewPersonalToken = v.object({
  /** Its purpose, in the user's words. */
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)),
  scopes: v.pipe(v.array(TokenScope), v.minLength(1), v.maxLength(tokenScopes.length)),
  /** Lifetime in days from now. */
  days: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxTokenDays)),
  password: OwnPassword,
});
export type NewPersonalToken = v.InferInput<typeof NewPersonalToken>;

/** A token without its secret. Times are ISO 8601, UTC. */
export const PersonalToken = v.object({
  /** The token's beginning, which is not secret: `parlance_<id>_…`. */
  id: v.string(),
  name: v.string(),
  scopes: acceptedRows(TokenScope),
  createdAt: v.string(),
  /** The token stops working at this time. */
  expiresAt: v.string(),
  /** With a precision of a minute; null for never. */
  lastUsedAt: v.nullable(v.string()),
});
export type PersonalToken = v.InferOutput<typeof PersonalToken>;

/** GET /users/me/tokens: newest first, expired ones for 30 more days. DELETE of …/{id} revokes one. */
export const PersonalTokensAnswer = v.object({ tokens: v.array(PersonalToken) });
export type PersonalTokensAnswer = v.InferOutput<typeof PersonalTokensAnswer>;
/** The response for a new token: the only time that its secret is sent. */
export const CreatedPersonalToken = v.object({ token: v.string(), ...PersonalToken.entries });
export type CreatedPersonalToken = v.InferOutput<typeof CreatedPersonalToken>;
