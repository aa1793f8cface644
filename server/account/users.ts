import { randomUUID } from "node:crypto";
import type { Registration, UserProfile } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/problem.ts";
import { findSubscription } from "#server/subscription/queries.ts";
import { hashNewPassword } from "./new-password.ts";
import { insertUserIfEmailIsFree, type User } from "./queries.ts";

/** What a person, and nobody else, is told of the account. */
export async function profileOf(db: Db, user: User): Promise<UserProfile> {
  const subscription = await findSubscription(db, user.id);
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    avatar_url: user.avatar === null ? null : `/avatars/${user.avatar}.webp`,
    isSuperUser: user.is_superuser === 1,
    planType: user.plan_type,
    emailVerified: user.email_verified === 1,
    hasPassword: user.password_hash !== "",
    subscriptionId: subscription?.id ?? null,
  };
}

/** @throws Problem `emailTaken`, `passwordCommon`, `passwordPersonal` */
export async function createUser(
  db: Db,
  registration: Registration,
  options: { at: number; superuser?: boolean; verified?: boolean },
): Promise<User> {
  const { email, name, language = "en" } = registration;
  const password_hash = await hashNewPassword(registration.password, email);
  return addUser(db, { ...options, email, name, language, password_hash }, options.at);
}

interface NewUser extends Pick<User, "email" | "name" | "language" | "password_hash"> {
  superuser?: boolean;
  verified?: boolean;
}

/** @param at epoch ms. @throws Problem `emailTaken` */
export async function addUser(db: Db, { verified, superuser, ...about }: NewUser, at: number): Promise<User> {
  const user: User = {
    id: randomUUID(),
    email: about.email,
    name: about.name,
    password_hash: about.password_hash,
    email_verified: verified === true ? 1 : 0,
    is_superuser: superuser === true ? 1 : 0,
    plan_type: "free",
    revision: 0,
    language: about.language,
    avatar: null,
    created_at: at,
  };
  if (!(await insertUserIfEmailIsFree(db, user))) throw new Problem("emailTaken");
  return user;
}

/** The sessions that have not ended. */
export function livingSessions(db: Db) {
  return db.selectFrom("sessions").where("sessions.revoked_at", "is", null);
}

/** The user of a session that has not ended. */
export function findSignedIn(db: Db, userId: string, sessionId: string): Promise<User | undefined> {
  return livingSessions(db)
    .innerJoin("users", "users.id", "sessions.user_id")
    .selectAll("users")
    .where("users.id", "=", userId)
    .where("sessions.id", "=", sessionId)
    .executeTakeFirst();
}

/**
 * Makes sure, in the transaction that acts on it, that the session which was let in has not been ended since: a credential that was
 * changed meanwhile leaves nothing behind of what was proven with the former one.
 * @throws Problem `unauthorized`
 */
export async function requireLiving(t: Db, userId: string, sessionId: string): Promise<void> {
  if ((await findSignedIn(t, userId, sessionId)) === undefined) throw new Problem("unauthorized", "The session has ended.");
}
