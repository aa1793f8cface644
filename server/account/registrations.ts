import { randomUUID } from "node:crypto";
import type { InterfaceLanguage, Registration } from "#contract/index.ts";
import { describeError, type Log } from "#server/common/log.ts";
import type { Db } from "#server/db/open.ts";
import type { Origins } from "#server/http/origins.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import { findUserByEmail } from "#server/users/queries.ts";
import { isReserved } from "#server/users/reserved-addresses.ts";
import { sendEmail, sendEmailTo } from "./emails.ts";
import { hashOf, newToken } from "./link-tokens.ts";
import { hashNewPassword } from "./new-password.ts";
import { deleteRegistrationLinksTo, insertRegistration, insertRegistrationLink, listWaiting } from "./registration-queries.ts";

interface Parts {
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
  log: Log;
  origins: Origins;
  outbox: Outbox;
}

const hour = 60 * 60_000;
/** How long what is registered waits for its address to be confirmed (milliseconds): a week, in which the mail can be asked for again. */
const waitMs = 7 * 24 * hour;
/** How long a link works (milliseconds): as those to accounts do. */
const linkMs = { confirm: 24 * hour, reset: hour };
/**
 * What waits for one address at the same time. More is not kept, so that nobody pushes out what came before; whoever reads the
 * mails can choose a password there in any case.
 */
const maxWaiting = 5;

/**
 * Registers an address that has to be confirmed first: what is registered waits beside the accounts, each with its own password, and
 * none takes the place of another. Whether there is an account already is told to nobody but the address: by a mail.
 */
export async function registerWaiting(deps: Parts, registration: Registration): Promise<void> {
  const { db, now } = deps;
  const { email, name, language = "en" } = registration;
  // For each address alike: it is most of the time that the answer takes.
  const password_hash = await hashNewPassword(registration.password, email);
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

/** Outside of the answer, so that its time does not tell which mail is written. */
function later({ log }: { log: Log }, mail: Promise<void>): void {
  void mail.catch((error: unknown) => log.error("account mail", describeError(error)));
}

/**
 * Sends another link to an address for which something waits: to confirm it, or to choose another password. Earlier links stop
 * working. Nothing happens when nothing waits.
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

/** Whoever gets it has not proven anything yet: what was registered, such as a name, does not stand in it. */
async function sendLink(deps: Parts, kind: "confirm" | "reset", email: string, language: InterfaceLanguage): Promise<void> {
  const token = newToken("signup");
  await insertRegistrationLink(deps.db, { hash: hashOf(token), email, expires_at: deps.now() + linkMs[kind] });
  const page = kind === "confirm" ? "/email-verification" : "/auth/reset-password";
  await sendEmailTo(deps, { email, name: "", language }, kind, { path: `${page}#token=${token}` });
}
