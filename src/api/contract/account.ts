import * as v from "valibot";
import { ErrorCode } from "./error.ts";

/** Trimmed and lower-cased; at most 254 characters (RFC 5321, errata 1690). */
export const Email = v.pipe(v.string(), v.trim(), v.toLowerCase(), v.maxLength(254), v.email());
/** NIST SP 800-63B: at least 8, no composition rules; the upper bound keeps hashing cheap. */
export const Password = v.pipe(v.string(), v.minLength(8), v.maxLength(256));

export const Credentials = v.object({ email: Email, password: v.pipe(v.string(), v.minLength(1), v.maxLength(256)) });
export type Credentials = v.InferOutput<typeof Credentials>;

/** The languages of the interface, and of mails (SPEC.md section 3). */
export const InterfaceLanguage = v.picklist(["en", "de", "es", "fr", "pt-BR", "nl", "da"]);
export type InterfaceLanguage = v.InferOutput<typeof InterfaceLanguage>;

export const Registration = v.object({
  email: Email,
  password: Password,
  name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100)), ""),
  /** For mails. */
  language: v.optional(InterfaceLanguage),
});
export type Registration = v.InferOutput<typeof Registration>;

/** GET /users/me (SPEC.md section 3, "User profile"; the first spelling of each field). */
export const UserProfile = v.object({
  id: v.string(),
  email: v.string(),
  name: v.string(),
  avatar_url: v.nullable(v.string()),
  isSuperUser: v.boolean(),
  planType: v.string(),
  /** Absent where a server does not say. */
  emailVerified: v.optional(v.boolean()),
  /** false: it is entered through a provider alone. */
  hasPassword: v.optional(v.boolean()),
  subscriptionId: v.nullable(v.string()),
});
export type UserProfile = v.InferOutput<typeof UserProfile>;

export const LoginAnswer = v.object({ accessToken: v.string(), user: v.optional(UserProfile) });
export const RefreshAnswer = v.object({ accessToken: v.string() });
export const RegisterAnswer = v.object({
  accessToken: v.optional(v.string()),
  user: v.optional(UserProfile),
  message: v.optional(v.string()),
});
export type RegisterAnswer = v.InferOutput<typeof RegisterAnswer>;

/** GET /auth/providers: what there is beside e-mail and password. */
export const ProvidersAnswer = v.object({
  /** The one provider that people may sign in with, by the name they know it under; null when none is set up. */
  federated: v.nullable(v.object({ name: v.string() })),
});
export type ProvidersAnswer = v.InferOutput<typeof ProvidersAnswer>;

/** What the window of a federated sign-in tells the page that has opened it (SPEC.md section 4, "Federated sign-in message"). */
export const FederatedMessage = v.variant("type", [
  v.object({ type: v.literal("AUTH_SUCCESS"), accessToken: v.string() }),
  v.object({ type: v.literal("AUTH_FAILURE"), code: v.fallback(ErrorCode, "providerFailed") }),
]);
export type FederatedMessage = v.InferOutput<typeof FederatedMessage>;

/** The access token's payload. `exp` and `iat` in seconds since the epoch. */
export const TokenClaims = v.object({
  sub: v.string(),
  exp: v.number(),
  iat: v.optional(v.number()),
  email: v.optional(v.string()),
  sid: v.optional(v.string()),
});
export type TokenClaims = v.InferOutput<typeof TokenClaims>;

/** What comes out of the link in a mail. */
const LinkToken = v.pipe(v.string(), v.regex(/^[\w-]{20,100}$/));

/** POST /auth/forgot-password and /auth/resend-confirmation: the answer is the same whether the address is known or not. */
export const ForgotPassword = v.object({ email: Email, language: v.optional(InterfaceLanguage) });
export const ResendConfirmation = ForgotPassword;
/** POST /auth/reset-password */
export const ResetPassword = v.object({ token: LinkToken, password: Password });
/** POST /auth/confirm-email */
export const ConfirmEmail = v.object({ token: LinkToken });
export const MessageAnswer = v.object({ message: v.string() });
