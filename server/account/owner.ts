import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { confirmedUntil } from "#server/session/confirmation.ts";
import { accountLimit, type Throttle } from "#server/session/throttle.ts";
import type { User } from "#server/users/tables.ts";
import type { Passwords } from "./passwords.ts";

/**
 * Checks that the request comes from the owner, not from somebody at an unattended page: by the password or, for an account
 * without one, by a fresh sign-in at its provider. Required before a change of address, password or providers, and before
 * deleting the account.
 * @throws Problem `wrongPassword`, `tooManyRequests`, `freshSignInRequired`
 */
export async function confirmOwner(
  deps: { db: Db; now: () => number; throttle: Throttle; passwords: Passwords },
  user: User,
  { password, sessionId }: { password: string; sessionId: string },
): Promise<void> {
  if (user.password_hash === "") {
    if ((await confirmedUntil(deps, sessionId)) === null) throw new Problem("freshSignInRequired");
    return;
  }
  await deps.throttle.count(accountLimit, `confirm\0${user.id}`);
  if (!(await deps.passwords.verify(password, user.password_hash))) throw new Problem("wrongPassword");
  await deps.throttle.reset(accountLimit, `confirm\0${user.id}`);
}
