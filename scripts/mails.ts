import { existsSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "#server/config/config.ts";
import { openDbToRead } from "#server/db/open.ts";
import { listStoredMails, type StoredMail } from "#server/mail/queries.ts";
import { runCommand } from "./run-command.ts";

// `npm run mails`: the mails that wait in the data folder, because no mail server is set up or it has not taken them yet.
// `npm run mails -- <id>` shows one. The server may run or not. Their links are as good as passwords: only who may read the data
// folder may read them.

/** Characters of an id that are shown; as many as it takes to mean one are enough to ask for it. */
const shownId = 8;

/**
 * What people wrote, harmless for a terminal: anything that steers it, hides or turns text around is written out (`\u{1b}`).
 * @param kept what may stay of that
 */
function plain(text: string, kept = ""): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) =>
    kept.includes(sign) ? sign : `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  );
}

const timeOf = ({ created_at }: StoredMail) => `${new Date(created_at).toISOString().slice(0, 16).replace("T", " ")} UTC`;

function list(mails: readonly StoredMail[]): string {
  if (mails.length === 0) return "No mail waits.";
  const rows = mails.map((mail) =>
    [mail.id.slice(0, shownId), timeOf(mail), plain(mail.recipient), plain(mail.subject)].join("  "),
  );
  return ["Mails that wait, the newest first. To see one: npm run mails -- <id>", "", ...rows].join("\n");
}

function show(mail: StoredMail): string {
  const head = [`To:       ${plain(mail.recipient)}`, `Written:  ${timeOf(mail)}`, `Subject:  ${plain(mail.subject)}`];
  return [...head, "", plain(mail.text.replaceAll("\r\n", "\n"), "\n\t")].join("\n");
}

/** @throws with a sentence for who asks */
async function run(id: string | undefined): Promise<string> {
  const { dataDir, databaseUrl } = readConfig(process.env);
  if (databaseUrl === undefined && !existsSync(join(dataDir, "parlance.db"))) {
    throw new Error(`There is no database in ${dataDir}. Has Parlance been started? PARLANCE_DATA names its data folder.`);
  }
  await using db = openDbToRead(dataDir, databaseUrl);
  const mails = await listStoredMails(db);
  if (id === undefined) return list(mails);
  const [mail, another] = mails.filter((one) => one.id.startsWith(id));
  if (mail === undefined) throw new Error("No mail with this id waits. npm run mails lists those that do.");
  if (another !== undefined) throw new Error("Several mails begin with this id. Write more of it.");
  return show(mail);
}

await runCommand(() => run(process.argv[2]));
