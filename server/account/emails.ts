import type { InferOutput } from "valibot";
import type { InterfaceLanguage, MessageAnswer } from "#contract/index.ts";
import type { DbParts } from "#server/db/open.ts";
import type { Origins } from "#server/http/origins.ts";
import { type EmailName, renderEmail } from "#server/mail/emails.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import { findUser } from "#server/users/queries.ts";
import type { User } from "#server/users/tables.ts";
import { issueToken } from "./link-tokens.ts";

interface Parts extends DbParts {
  origins: Origins;
  outbox: Outbox;
}

interface Options {
  /** The path of the mail's link, relative to the page's origin. Its token is in the fragment, so no server logs it. */
  path: string;
  /** Default: the user's stored language. */
  language?: InterfaceLanguage | undefined;
  /** Default: the user's address. */
  recipient?: string;
  email?: string;
}

/**
 * The answer to a person who waits for an e-mail.
 * @param sent the message if this server sends e-mails
 */
export async function promiseMail(outbox: Pick<Outbox, "state">, sent: string): Promise<InferOutput<typeof MessageAnswer>> {
  const mails = await outbox.state();
  const said = {
    sent,
    delayed: "The mail server can't be reached. The e-mail will be sent when it can be reached again.",
    none: "This server does not send e-mails.",
  };
  return { message: said[mails], mails };
}

/** Sends a mail to a user; does nothing if the account is gone. */
export async function sendEmail(parts: Parts, userId: string, name: EmailName, options: Options): Promise<void> {
  const user = await findUser(parts.db, userId);
  if (user === undefined) return;
  const { recipient = user.email, language = user.language } = options;
  // A name is free text entered with any address: it is included only in e-mails to an address that its user has proven
  // to own.
  const isProven = recipient === user.email && user.email_verified === 1;
  const to = { email: recipient, name: isProven ? user.name : "", language };
  await sendEmailTo(parts, to, name, options, { userId });
}

/** Sends a mail to an address, with or without an account. */
export async function sendEmailTo(
  { outbox, origins: { page } }: Pick<Parts, "outbox" | "origins">,
  to: Pick<User, "email" | "name" | "language">,
  name: EmailName,
  { path, email }: Pick<Options, "path" | "email">,
  about: { userId?: string } = {},
): Promise<void> {
  // Never from the request's Host header: its sender could choose where the link leads.
  const link = `${page}${path}`;
  const options = { recipient: to.email, name: to.name, language: to.language, link, page, ...(email && { email }) };
  await outbox.put(await renderEmail(name, options), about);
}

export async function sendConfirmation(parts: Parts, user: User, language?: InterfaceLanguage): Promise<void> {
  const { id: userId, email } = user;
  const token = await issueToken(parts.db, { userId, purpose: "confirm", email, now: parts.now() });
  await sendEmail(parts, userId, "confirm", { path: `/email-verification#token=${token}`, language });
}
