import { changeCredential } from "#server/account/credentials.ts";
import { sendEmail } from "#server/account/emails.ts";
import { createLocalBus } from "#server/bus/bus.ts";
import { readConfig } from "#server/config/config.ts";
import { openDb } from "#server/db/open.ts";
import { createOrigins } from "#server/http/origins.ts";
import { createLog } from "#server/log/log.ts";
import { openOutbox } from "#server/mail/outbox.ts";
import { deleteSecondFactor } from "#server/second-factor/queries.ts";
import { hasSecondFactor } from "#server/session/credential-queries.ts";
import { findUserByEmail } from "#server/users/queries.ts";
import { runCommand } from "./run-command.ts";

// `npm run second-factor -- remove somebody@example.org` turns two-step sign-in off for a user who has lost the device
// and the recovery codes. Verify the identity of whoever asks. The server may be running or not. All sessions of the
// account end, and its owner gets a mail.

const usage = "npm run second-factor -- remove <e-mail address>";

async function run([command, email, ...rest]: string[]): Promise<string> {
  if (command !== "remove" || email === undefined || rest.length > 0) throw new Error(usage);
  const config = readConfig(process.env);
  await using db = await openDb(config.dataDir, config.databaseUrl);
  const user = await findUserByEmail(db, email.trim().toLowerCase());
  if (user === undefined) throw new Error(`No account has the address ${email}.`);
  if (!(await hasSecondFactor(db, user.id))) throw new Error(`${user.email} has no two-step sign-in.`);
  // A running server notices this by itself.
  const connections = { recheck: async () => {} };
  await changeCredential({ db, now: Date.now, connections }, async (t) => {
    await deleteSecondFactor(t, user.id);
    return { userId: user.id };
  });
  // The mail waits in the outbox; the server sends it.
  const log = createLog("silent", Date.now);
  const outbox = openOutbox({ db, now: Date.now, log, bus: createLocalBus(log) }, undefined);
  const origins = createOrigins(config, { api: config.port, web: config.webPort });
  await sendEmail({ db, now: Date.now, origins, outbox }, user.id, "secondFactor", { path: "/settings/security" });
  await outbox.close();
  return `${user.email} now signs in with the password alone. All its devices were signed out.`;
}

await runCommand(() => run(process.argv.slice(2)));
