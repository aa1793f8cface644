import type { InterfaceLanguage } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import type { User } from "#server/db/schema.ts";
import type { Origins } from "#server/http/origins.ts";
import { type EmailName, renderEmail } from "#server/mail/emails.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import { findUser } from "#server/users/queries.ts";
import { issueToken } from "./link-tokens.ts";

interface Parts {
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
  origins: Origins;
  outbox: Outbox;
}

interface Options {
  /** What its button opens, from the page's origin on. A token stands behind a hash: it reaches no server's log. */
  path: string;
  /** Default: the language that the person has chosen before. */
  language?: InterfaceLanguage | undefined;
  /** Default: the person's address. */
  recipient?: string;
  email?: string;
}

/** Writes to a person. Nothing happens when there is nobody any more. */
export async function sendEmail(parts: Parts, userId: string, name: EmailName, options: Options): Promise<void> {
  const user = await findUser(parts.db, userId);
  if (user === undefined) return;
  const { recipient = user.email, language = user.language } = options;
  // Anybody can put any words into a name, and any address beside it: they are sent to nobody but who has proven to be that person.
  const isProven = recipient === user.email && user.email_verified === 1;
  const to = { email: recipient, name: isProven ? user.name : "", language };
  await sendEmailTo(parts, to, name, options, { userId });
}

/** Writes to an address, whoever it belongs to. */
export async function sendEmailTo(
  { outbox, origins: { page } }: Pick<Parts, "outbox" | "origins">,
  to: Pick<User, "email" | "name" | "language">,
  name: EmailName,
  { path, email }: Pick<Options, "path" | "email">,
  about: { userId?: string } = {},
): Promise<void> {
  // Never by a request's Host header: whoever sends one could choose where the link leads.
  const link = `${page}${path}`;
  const options = { recipient: to.email, name: to.name, language: to.language, link, page, ...(email && { email }) };
  await outbox.put(await renderEmail(name, options), about);
}

/** Sends the link that confirms a person's address. */
export async function sendConfirmation(parts: Parts, user: User, language?: InterfaceLanguage): Promise<void> {
  const { id: userId, email } = user;
  const token = await issueToken(parts.db, { userId, purpose: "confirm", email, now: parts.now() });
  await sendEmail(parts, userId, "confirm", { path: `/email-verification#token=${token}`, language });
}
