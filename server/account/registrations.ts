import { randomUUID } from "node:crypto";
import type { InterfaceLanguage, Registration } from "#contract/index.ts";
import type { DbParts } from "#server/db/open.ts";
import type { Origins } from "#server/http/origins.ts";
import { describeError, type Log } from "#server/log/log.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import { hashOf } from "#server/session/secrets.ts";
import { findUserByEmail } from "#server/users/queries.ts";
import { isReserved } from "#server/users/reserved-addresses.ts";
import { sendEmail, sendEmailTo } from "./emails.ts";
import { newToken } from "./link-tokens.ts";
import { hashNewPassword } from "./new-password.ts";
import type { Passwords } from "./passwords.ts";
import { deleteRegistrationLinksTo, insertRegistration, insertRegistrationLink, listWaiting } from "./registration-queries.ts";

interface Parts extends DbParts {
  log: Log;
  origins: Origins;
  outbox: Outbox;
  passwords: Passwords;
}

const hour = 60 * 60_000;
/** The ms for which a registration waits for its confirmation: a week, in which the e-mail can be requested again. */
const waitMs = 7 * 24 * hour;
/** The lifetime of a link in ms, the same as for links to accounts. */
const linkMs = { confirm: 24 * hour, reset: hour };
/**
 * Pending registrations per address. Further ones are dropped, so that nobody can displace an earlier one; the
 * address's owner can choose a password by e-mail anyway.
 */
const maxWaiting = 5;

/**
 * Registers an address that must be confirmed. Registrations are separate from accounts, each with its own password,
 * and don't replace one another. Only an e-mail to the address reveals whether it already has an account.
 */
export async function registerWaiting(deps: Parts, registration: Registration): Promise<void> {
  const { db, now } = deps;
  const { email, name, language = "en" } = registration;
  // Hashed for every address alike, because it takes most of the response time.
  const password_hash = await hashNewPassword(deps.passwords, registration.password, email);
  const user = await findUserByEmail(db, email);
  if (isReserved(email)) return;
  if (user?.email_verified === 1) return later(deps, sendEmail(deps, user.id, "known", { path: "/forgot-password" }));
  await db.transaction().execute(async (t) => {
    if ((await listWaiting(t, email, now())).length >= maxWaiting) return;
    const times = { created_at: now(), expires_at: now() + waitMs };
    await insertRegistration(t, { id: randomUUID(), email, name, password_hash, language, ...times });
  });
  later(deps, sendLink(deps, "confirm", email, language));
}

/** The response does not await it, so that its time does not reveal which e-mail is sent. */
function later({ log }: { log: Log }, mail: Promise<void>): void {
  void mail.catch((error: unknown) => log.error("account e-mail not queued", describeError(error)));
}

/**
 * Sends another link for a pending registration, to confirm it or to choose another password. Earlier links stop
 * working. Does nothing if none is pending.
 */
export async function sendAnotherLink(
  deps: Parts,
  kind: "confirm" | "reset",
  email: string,
  language: InterfaceLanguage | undefined,
): Promise<void> {
  const [newest] = await listWaiting(deps.db, email, deps.now());
  if (newest === undefined) return;
  await deleteRegistrationLinksTo(deps.db, email);
  await sendLink(deps, kind, email, language ?? newest.language);
}

/** The recipient is unproven: the mail contains nothing of the registration, such as its name. */
async function sendLink(deps: Parts, kind: "confirm" | "reset", email: string, language: InterfaceLanguage): Promise<void> {
  const token = newToken("signup");
  await insertRegistrationLink(deps.db, { hash: hashOf(token), email, expires_at: deps.now() + linkMs[kind] });
  const page = kind === "confirm" ? "/email-verification" : "/auth/reset-password";
  await sendEmailTo(deps, { email, name: "", language }, kind, { path: `${page}#token=${token}` });
}
