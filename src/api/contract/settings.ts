import * as v from "valibot";
import { Email, InterfaceLanguage } from "./account.ts";
import { maxPasswordLength, Password } from "./password.ts";

/** PATCH /users/me; the answer is the profile. */
export const ProfileChange = v.object({
  name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100))),
  language: v.optional(InterfaceLanguage),
});
export type ProfileChange = v.InferInput<typeof ProfileChange>;

/** What is asked for again before something that can't be undone; "" for an account without a password. */
const OwnPassword = v.optional(v.pipe(v.string(), v.maxLength(maxPasswordLength)), "");

/** POST /users/me/password: every other sign-in ends. */
export const PasswordChange = v.object({ currentPassword: OwnPassword, newPassword: Password });
export type PasswordChange = v.InferInput<typeof PasswordChange>;
/** POST /users/me/email: the new address counts once its link was opened. */
export const EmailChange = v.object({ email: Email, password: OwnPassword });
export type EmailChange = v.InferInput<typeof EmailChange>;
/** DELETE /users/me */
export const AccountDeletion = v.object({ password: OwnPassword });
export type AccountDeletion = v.InferInput<typeof AccountDeletion>;

/** One sign-in on one device. */
export const SignIn = v.object({
  id: v.string(),
  /** The browser, as it calls itself (User-Agent). */
  device: v.nullable(v.string()),
  /** ISO 8601, UTC. */
  createdAt: v.string(),
  seenAt: v.nullable(v.string()),
  /** The one that asks. */
  current: v.boolean(),
});
export type SignIn = v.InferOutput<typeof SignIn>;
/** GET /users/me/sessions: the one used last first. DELETE of …/{id} ends one, DELETE of the list all others. */
export const ActiveSessionsAnswer = v.object({ sessions: v.array(SignIn) });

/** PUT /users/me/avatar: the picture as it is, of one of these types, of at most this many bytes. */
export const avatarTypes = ["image/png", "image/jpeg", "image/webp", "image/gif"] as const;
export const maxAvatarBytes = 5_000_000;

/** DELETE /users/me/identities: what has opened the account from a provider does so no more. POST /auth/link: see below. */
export const PasswordProof = v.object({ password: v.pipe(v.string(), v.minLength(1), v.maxLength(maxPasswordLength)) });
/**
 * GET /auth/link: the provider's account that waits in this browser to be linked, by the address there, and ours by its address.
 * POST links them with the password of ours, and answers as a login does.
 */
export const PendingLinkAnswer = v.object({ email: v.string(), theirEmail: v.string() });
export type PendingLinkAnswer = v.InferOutput<typeof PendingLinkAnswer>;
/** GET /users/me/sign-in-methods: what opens the account besides its password. Times are ISO 8601, UTC. */
export const SignInMethodsAnswer = v.object({
  /** The provider that this server is set up for, by the name people know it under; null when none is. */
  provider: v.nullable(v.string()),
  linked: v.array(v.object({ issuer: v.string(), linkedAt: v.string() })),
  /** Until when the last fresh sign-in at the provider counts as a confirmation in this session; null when it does not. */
  confirmedUntil: v.nullable(v.string()),
});
export type SignInMethods = v.InferOutput<typeof SignInMethodsAnswer>;
