import { existsSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "#server/config/config.ts";
import { openDbToRead } from "#server/db/open.ts";
import { listStoredMails, type StoredMail } from "#server/mail/queries.ts";
import { runCommand } from "./run-command.ts";

// `npm run mails` lists the waiting mails in the data folder: no mail server is set up, or it has not accepted them
// yet. `npm run mails -- <id>` shows one. The server may be running or not. Links in mails are as good as passwords, so
// only users who may read the data folder may read them.

/** Characters of an id that are shown. Any unique beginning is enough to request a mail. */
const shownId = 8;

/**
 * Makes users' texts harmless for a terminal: characters that control it, hide text or change its direction are written
 * as escapes (`\u{1b}`).
 * @param kept exceptions
 */
function plain(text: string, kept = ""): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) =>
    kept.includes(sign) ? sign : `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  );
}

const timeOf = ({ created_at }: StoredMail) => `${new Date(created_at).toISOString().slice(0, 16).replace("T", " ")} UTC`;

function list(mails: readonly StoredMail[]): string {
  if (mails.length === 0) return "No e-mail is waiting.";
  const rows = mails.map((mail) =>
    [mail.id.slice(0, shownId), timeOf(mail), plain(mail.recipient), plain(mail.subject)].join("  "),
  );
  return ["Waiting e-mails, the newest first. To read one: npm run mails -- <id>", "", ...rows].join("\n");
}

function show(mail: StoredMail): string {
  const head = [`To:       ${plain(mail.recipient)}`, `Written:  ${timeOf(mail)}`, `Subject:  ${plain(mail.subject)}`];
  return [...head, "", plain(mail.text.replaceAll("\r\n", "\n"), "\n\t")].join("\n");
}

/** @throws with a sentence for the operator */
async function run(id: string | undefined): Promise<string> {
  const { dataDir, databaseUrl } = readConfig(process.env);
  if (databaseUrl === undefined && !existsSync(join(dataDir, "parlance.db"))) {
    throw new Error(`No database was found in ${dataDir}. Start Parlance once, or set PARLANCE_DATA to its data folder.`);
  }
  await using db = openDbToRead(dataDir, databaseUrl);
  const mails = await listStoredMails(db);
  if (id === undefined) return list(mails);
  const [mail, another] = mails.filter((one) => one.id.startsWith(id));
  if (mail === undefined) throw new Error("No e-mail with this id is waiting. npm run mails lists the waiting ones.");
  if (another !== undefined) throw new Error("The ids of several e-mails begin like this. Write more of the id.");
  return show(mail);
}

await runCommand(() => run(process.argv[2]));
