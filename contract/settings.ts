import * as v from "valibot";
import { Email, InterfaceLanguage, MailState, maxPasswordLength, Password } from "./account.ts";

/** PATCH /users/me; the response is the profile. */
export const ProfileChange = v.object({
  name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100))),
  language: v.optional(InterfaceLanguage),
});
export type ProfileChange = v.InferInput<typeof ProfileChange>;

/**
 * GET and PUT /users/me/notices: which mails the user wants when a recording or URL that took two minutes or longer has
 * been transcribed, or has failed.
 */
export const NoticeSettings = v.object({ completed: v.boolean(), failed: v.boolean() });
export type NoticeSettings = v.InferOutput<typeof NoticeSettings>;
/** The response of both. `mails`: the state of mails on this server. */
export const NoticesAnswer = v.object({ ...NoticeSettings.entries, mails: v.fallback(MailState, "sent") });
export type NoticesAnswer = v.InferOutput<typeof NoticesAnswer>;

/** Confirms an irreversible action; "" for an account without a password. */
export const OwnPassword = v.optional(v.pipe(v.string(), v.maxLength(maxPasswordLength)), "");

/** POST /users/me/password: ends all other sessions. */
export const PasswordChange = v.object({ currentPassword: OwnPassword, newPassword: Password });
export type PasswordChange = v.InferInput<typeof PasswordChange>;
/** POST /users/me/email: the new address takes effect once its link is opened. */
export const EmailChange = v.object({ email: Email, password: OwnPassword });
export type EmailChange = v.InferInput<typeof EmailChange>;
/** DELETE /users/me */
export const AccountDeletion = v.object({ password: OwnPassword });
export type AccountDeletion = v.InferInput<typeof AccountDeletion>;

/** One active session. */
export const SignIn = v.object({
  id: v.string(),
  /** The browser's User-Agent. */
  device: v.nullable(v.string()),
  /** ISO 8601, UTC. */
  createdAt: v.string(),
  seenAt: v.nullable(v.string()),
  /** Whether it is the requesting session. */
  current: v.boolean(),
});
export type SignIn = v.InferOutput<typeof SignIn>;
/** GET /users/me/sessions: last used first. DELETE of …/{id} ends one, DELETE of the list all others. */
export const ActiveSessionsAnswer = v.object({ sessions: v.array(SignIn) });

/** How a user has signed in: with the account's password, with an account at a provider, or with a passkey. */
const signInMethods = ["password", "provider", "passkey"] as const;
export type SignInMethod = (typeof signInMethods)[number];
/** A sign-in, whether its session is active or has ended. */
export const RecentSignIn = v.object({
  id: v.string(),
  /** ISO 8601, UTC. */
  at: v.string(),
  /** null for a method that this page does not know. */
  method: v.fallback(v.nullable(v.picklist(signInMethods)), null),
  /** The browser's User-Agent. */
  device: v.nullable(v.string()),
  /** Whether it belongs to the requesting session. */
  current: v.boolean(),
});
export type RecentSignIn = v.InferOutput<typeof RecentSignIn>;
/** How long sign-ins are stored (days), and how many are shown. */
export const signInDays = 90;
export const shownSignIns = 20;
/** GET /users/me/sign-ins: the latest first. */
export const RecentSignInsAnswer = v.object({ signIns: v.array(RecentSignIn) });

/** PUT /users/me/avatar: the raw picture; its accepted types, and its largest size in bytes. */
export const avatarTypes = ["image/png", "image/jpeg", "image/webp", "image/gif"] as const;
export const maxAvatarBytes = 5_000_000;

/**
 * DELETE /users/me/identities: unlinks the accounts of the provider with this issuer, or of all providers without one.
 */
export const Unlinking = v.object({
  password: v.pipe(v.string(), v.minLength(1), v.maxLength(maxPasswordLength)),
  issuer: v.optional(v.pipe(v.string(), v.maxLength(4096))),
});
export type Unlinking = v.InferInput<typeof Unlinking>;
/** POST /auth/link: see below. */
export const PasswordProof = v.object({ password: v.pipe(v.string(), v.minLength(1), v.maxLength(maxPasswordLength)) });
/**
 * GET /auth/link: the provider's account pending in this browser, and our account, each by its e-mail address. POST
 * links them with our account's password, and returns the same as a login.
 */
export const PendingLinkAnswer = v.object({
  email: v.string(),
  theirEmail: v.string(),
  /** The name of the provider; absent when it is no longer configured. */
  provider: v.optional(v.string()),
});
export type PendingLinkAnswer = v.InferOutput<typeof PendingLinkAnswer>;
/** GET /users/me/sign-in-methods: the sign-in methods besides the password. Times are ISO 8601, UTC. */
export const SignInMethodsAnswer = v.object({
  /** The display name of the first configured provider; null when there is none. */
  provider: v.nullable(v.string()),
  /** All configured providers. */
  providers: v.optional(v.array(v.object({ id: v.string(), name: v.string(), issuer: v.string() }))),
  linked: v.array(v.object({ issuer: v.string(), linkedAt: v.string() })),
  /** Until when the last reauthentication at the provider counts in this session; null without one. */
  confirmedUntil: v.nullable(v.string()),
});
export type SignInMethods = v.InferOutput<typeof SignInMethodsAnswer>;
