import type { InterfaceLanguage } from "../../src/api/contract/index.ts";
import type { Deps } from "../deps.ts";
import { type LetterName, writeLetter } from "../mail/letters.ts";
import { issueToken } from "./account-tokens.ts";
import type { User } from "./users.ts";

type Parts = Pick<Deps, "db" | "outbox" | "origins" | "now">;

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
export async function letterTo(
  { db, outbox, origins }: Parts,
  userId: string,
  name: LetterName,
  options: Options,
): Promise<void> {
  const user = await db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirst();
  if (user === undefined) return;
  const { path, recipient = user.email, language = user.language, email } = options;
  // Never by a request's Host header: whoever sends one could choose where the link leads.
  const page = origins.page;
  await outbox.put(
    await writeLetter(name, { recipient, name: user.name, language, link: `${page}${path}`, page, ...(email && { email }) }),
  );
}

/** Sends the link that confirms a person's address. */
export async function sendConfirmation(parts: Parts, user: User, language?: InterfaceLanguage): Promise<void> {
  const { id: userId, email } = user;
  const token = await issueToken(parts.db, { userId, purpose: "confirm", email, now: parts.now() });
  await letterTo(parts, userId, "confirm", { path: `/email-verification#token=${token}`, language });
}
