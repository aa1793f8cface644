import { parseArgs } from "node:util";
import { openPostgresBus } from "#server/cluster/postgres-bus.ts";
import { readConfig } from "#server/config/config.ts";
import { listenToChanges } from "#server/db/changes.ts";
import { openDb } from "#server/db/open.ts";
import { createLog } from "#server/log/log.ts";
import { keysInFile } from "#server/session/key-file.ts";
import { keysInDatabase } from "#server/session/key-queries.ts";
import { type KeyStore, listKeys, recheckMs, rotateKeys } from "#server/session/signing-keys.ts";
import { runCommand } from "./run-command.ts";

// `npm run keys -- rotate`: signs tokens with a new key from now on; tokens of the previous key stay valid until they
// expire. `npm run keys -- rotate --now`: rejects them at once, in case a key was exposed. `npm run keys -- list`:
// lists the keys' ids.

const usage = "npm run keys -- list | rotate [--now]";

async function run(): Promise<string> {
  const { values, positionals } = parseArgs({ options: { now: { type: "boolean", default: false } }, allowPositionals: true });
  const [command, ...rest] = positionals;
  if (rest.length > 0 || (command !== "list" && command !== "rotate")) throw new Error(usage);
  const { dataDir, databaseUrl, jwtSecrets } = readConfig(process.env);
  if (jwtSecrets !== undefined) {
    throw new Error(
      "The keys come from JWT_SECRET. Put a new one in front of them, separated by a comma, and restart the server.",
    );
  }
  if (databaseUrl === undefined) return execute(command, values.now, keysInFile(dataDir));
  await using db = await openDb(dataDir, databaseUrl);
  const bus = await openPostgresBus(databaseUrl, createLog("silent", Date.now));
  const stopListening = listenToChanges(db, ({ topic, message }) => bus.publish(topic, message));
  try {
    return await execute(command, values.now, keysInDatabase(db));
  } finally {
    stopListening();
    await bus.close();
  }
}

async function execute(command: "list" | "rotate", atOnce: boolean, store: KeyStore): Promise<string> {
  if (command === "list") {
    const ids = (await listKeys(store, Date.now())).map(({ id }) => id).toReversed();
    return ids.map((id, index) => (index === 0 ? `${id} signs` : `${id} is accepted`)).join("\n");
  }
  const keys = await rotateKeys(store, { now: Date.now(), atOnce });
  const before = atOnce
    ? "Earlier tokens are refused: pages request a new token automatically."
    : "Earlier tokens are accepted until they expire.";
  return `${keys.at(-1)?.id} signs. Running servers use it within ${recheckMs / 1000} seconds. ${before}`;
}

await runCommand(run);
