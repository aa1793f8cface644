import type { Registration } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { newUser } from "#server/users/new-user.ts";
import { insertUserIfEmailIsFree } from "#server/users/queries.ts";
import type { User } from "#server/users/tables.ts";
import { hashNewPassword } from "./new-password.ts";
import type { Passwords } from "./passwords.ts";

/** @throws Problem `emailTaken`, `passwordCommon`, `passwordPersonal` */
export async function createUser(
  { db, passwords }: { db: Db; passwords: Passwords },
  registration: Registration,
  options: { at: number; superuser?: boolean; verified?: boolean },
): Promise<User> {
  const { email, name, language = "en" } = registration;
  const password_hash = await hashNewPassword(passwords, registration.password, email);
  return addUser(db, { ...options, email, name, language, password_hash }, options.at);
}

interface NewUser extends Pick<User, "email" | "name" | "language" | "password_hash"> {
  superuser?: boolean;
  verified?: boolean;
}

/** @param at epoch ms. @throws Problem `emailTaken` */
export async function addUser(db: Db, { verified, superuser, ...about }: NewUser, at: number): Promise<User> {
  const { email, name, language, password_hash } = about;
  const rights = { email_verified: verified === true ? 1 : 0, is_superuser: superuser === true ? 1 : 0 };
  const user = newUser({ email, name, language, password_hash, ...rights }, at);
  if (!(await insertUserIfEmailIsFree(db, user))) throw new Problem("emailTaken");
  return user;
}
