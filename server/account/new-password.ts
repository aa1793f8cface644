import { isPersonalPassword } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { isCommonPassword } from "./common-passwords.ts";
import type { Passwords } from "./passwords.ts";

/**
 * Validates and hashes a new password: every way to set one goes through here. The contract limits its length
 * (`Password`).
 * @param email the account's address
 * @returns the PHC string
 * @throws Problem `passwordCommon`, `passwordPersonal`
 */
export async function hashNewPassword(passwords: Passwords, password: string, email: string): Promise<string> {
  if (isPersonalPassword(password, email)) throw new Problem("passwordPersonal");
  if (await isCommonPassword(password)) throw new Problem("passwordCommon");
  return passwords.hash(password, { person: email });
}
