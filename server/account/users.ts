import { randomUUID } from "node:crypto";
import type { Registration, UserProfile } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import type { User } from "#server/db/schema.ts";
import { Problem } from "#server/problem.ts";
import { findSubscription } from "#server/subscription/queries.ts";
import { insertUserIfEmailIsFree } from "#server/users/queries.ts";
import { hashNewPassword } from "./new-password.ts";

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
