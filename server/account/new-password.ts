import { isPersonalPassword } from "#contract/index.ts";
import { Problem } from "#server/common/problem.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { hashPassword } from "./passwords.ts";

/**
 * The one way to set a password, wherever that is done: judges it, then hashes it. Its length is the contract's (`Password`).
 * @param email the address of the account that it is for
 * @returns the PHC string
 * @throws Problem `passwordCommon`, `passwordPersonal`
 */
export async function hashNewPassword(password: string, email: string): Promise<string> {
  if (isPersonalPassword(password, email)) throw new Problem("passwordPersonal");
  if (await isCommonPassword(password)) throw new Problem("passwordCommon");
  return hashPassword(password);
}
