import { Problem } from "#server/errors/problem.ts";
import type { Origins } from "#server/http/origins.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import { confirmedUntil } from "#server/session/confirmation.ts";
import type { OpenConnections } from "#server/session/open-connections.ts";
import type { AdminParts } from "#server/session/require-user.ts";
import { accountLimit, type Throttle } from "#server/session/throttle.ts";
import type { User } from "#server/users/tables.ts";
import type { Passwords } from "./passwords.ts";

/** Dependencies of routes on which people manage their own account. */
export interface OwnerParts extends AdminParts {
  origins: Origins;
  connections: OpenConnections;
  throttle: Throttle;
  outbox: Outbox;
  passwords: Passwords;
}

/**
 * Checks that the request comes from the owner, not from somebody at an unattended page: by the password or, for an
 * account without one, by a fresh sign-in at its provider. Required before a change of address, password or providers,
 * and before the account is deleted.
 * @throws Problem `wrongPassword`, `tooManyRequests`, `freshSignInRequired`
 */
export async function confirmOwner(
  deps: Pick<OwnerParts, "db" | "now" | "throttle" | "passwords">,
  { user, sessionId }: { user: User; sessionId: string },
  password: string,
): Promise<void> {
  if (user.password_hash === "") {
    if ((await confirmedUntil(deps, sessionId)) === null) throw new Problem("freshSignInRequired");
    return;
  }
  await deps.throttle.count(accountLimit, `confirm\0${user.id}`);
  if (!(await deps.passwords.verify(password, user.password_hash, { person: user.id }))) throw new Problem("wrongPassword");
  await deps.throttle.reset(accountLimit, `confirm\0${user.id}`);
}
