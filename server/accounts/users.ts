import { randomBytes, randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type { Registration, UserProfile } from "../../src/api/contract/index.ts";
import type { Db } from "../db/open.ts";
import type { UserTable } from "../db/schema.ts";
import { findSubscription } from "../db/subscriptions.ts";
import { Problem } from "../problem.ts";
import { hashPassword } from "./passwords.ts";

export type User = Selectable<UserTable>;

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

/** @throws Problem `emailTaken` */
export async function createUser(
  db: Db,
  registration: Registration,
  options: { at: number; superuser?: boolean; verified?: boolean },
): Promise<User> {
  const user: User = {
    id: randomUUID(),
    email: registration.email,
    name: registration.name,
    password_hash: await hashPassword(registration.password),
    email_verified: options.verified === true ? 1 : 0,
    is_superuser: options.superuser === true ? 1 : 0,
    plan_type: "free",
    revision: 0,
    language: registration.language ?? "en",
    avatar: null,
    created_at: options.at,
  };
  const added = await db
    .insertInto("users")
    .values(user)
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (added === undefined) throw new Problem("emailTaken");
  return user;
}

export function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return db.selectFrom("users").selectAll().where("email", "=", email).executeTakeFirst();
}

/** The user of a sign-in that has not been ended. */
export function findSignedIn(db: Db, userId: string, sessionId: string): Promise<User | undefined> {
  return db
    .selectFrom("users")
    .innerJoin("sessions", "sessions.user_id", "users.id")
    .selectAll("users")
    .where("users.id", "=", userId)
    .where("sessions.id", "=", sessionId)
    .where("sessions.revoked_at", "is", null)
    .executeTakeFirst();
}

export const superuserEmail = "superuser@parlance.local";

/** The first start makes a superuser. @returns its random password, which is kept nowhere; undefined when there is one already */
export async function ensureSuperuser(db: Db, at: number): Promise<string | undefined> {
  const existing = await db.selectFrom("users").select("id").where("is_superuser", "=", 1).executeTakeFirst();
  if (existing !== undefined) return undefined;
  const password = randomBytes(12).toString("base64url");
  await createUser(db, { email: superuserEmail, password, name: "Superuser" }, { at, superuser: true, verified: true });
  return password;
}
