import type { Deps } from "#server/deps.ts";
import { Problem } from "#server/problem.ts";
import { accountLimit } from "#server/session/throttle.ts";
import { verifyPassword } from "./passwords.ts";
import type { User } from "./queries.ts";

/** How long a fresh sign-in at the provider counts as a confirmation, in milliseconds. */
export const confirmationMs = 5 * 60_000;

/** Until when a session counts as confirmed at the provider, epoch ms; null when it does not. */
export async function confirmedUntil({ db, now }: Pick<Deps, "db" | "now">, sessionId: string): Promise<number | null> {
  const row = await db.selectFrom("sessions").select("confirmed_at").where("id", "=", sessionId).executeTakeFirst();
  const until = (row?.confirmed_at ?? Number.NEGATIVE_INFINITY) + confirmationMs;
  return until > now() ? until : null;
}

/**
 * Makes sure that who asks is the owner, and not somebody who found the page open: by the password or, for an account that has none, by
 * a fresh sign-in at its provider. The one rule before address, password or providers change and before the account is deleted.
 * @throws Problem `wrongPassword`, `tooManyRequests`, `freshSignInRequired`
 */
export async function confirmOwner(
  deps: Pick<Deps, "db" | "now" | "throttle">,
  user: User,
  { password, sessionId }: { password: string; sessionId: string },
): Promise<void> {
  if (user.password_hash === "") {
    if ((await confirmedUntil(deps, sessionId)) === null) throw new Problem("freshSignInRequired");
    return;
  }
  await deps.throttle.count(accountLimit, `confirm\0${user.id}`);
  if (!(await verifyPassword(password, user.password_hash))) throw new Problem("wrongPassword");
  await deps.throttle.forget(accountLimit, `confirm\0${user.id}`);
}
