import { existsSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "#server/config/config.ts";
import { compareWithPostgres, moveToPostgres } from "#server/db/move.ts";
import { openDb } from "#server/db/open.ts";
import { MoveError } from "#server/db/postgres-alone.ts";
import { keysInFile, sealingKeyName } from "#server/session/key-file.ts";
import { keysInDatabase } from "#server/session/key-queries.ts";
import { sealingKeysInDatabase } from "#server/session/sealing-key-queries.ts";
import { runCommand } from "./run-command.ts";

// `npm run db -- move`: copies the database in the data folder (PARLANCE_DATA) to an empty PostgreSQL database
// (DATABASE_URL), verified row by row. `npm run db -- check`: compares the two.

const usage = "npm run db -- move | check";

/** @returns the next step for the operator */
async function run(command: string | undefined): Promise<string> {
  if (command !== "move" && command !== "check") throw new MoveError(usage);
  const { dataDir, databaseUrl: url, jwtSecrets } = readConfig(process.env);
  if (url === undefined) throw new MoveError("DATABASE_URL is not set: postgres://user:password@host:5432/parlance.");
  const onTable = (name: string, rows: number) => {
    if (rows > 0) console.log(`${name}: ${rows} ${rows === 1 ? "row is" : "rows are"} the same`);
  };
  if (command === "check") return `${await compareWithPostgres({ dataDir, url, onTable })} rows are equal in both databases.`;
  const rows = await moveToPostgres({ dataDir, url, onTable });
  if (jwtSecrets === undefined) await takeKeys(dataDir, url);
  await takeSealingKey(dataDir, url);
  return `${rows} rows were moved.

Next: start Parlance with this DATABASE_URL. The files (audio, vault, pictures) stay in ${dataDir}. parlance.db also stays there, but is no
longer read. Without DATABASE_URL, Parlance would use it again in its current state. Delete it when you are sure.`;
}

/** Copies the signing keys, so that signed-in users stay signed in. */
async function takeKeys(dataDir: string, url: string): Promise<void> {
  // An installation that was never started has no keys.
  if (!existsSync(join(dataDir, "jwt-secret"))) return;
  const keys = await keysInFile(dataDir).read();
  await using db = await openDb(dataDir, url);
  await keysInDatabase(db).change(() => keys);
}

/** Copies the sealing key, so that codes of authenticator apps are still accepted. */
async function takeSealingKey(dataDir: string, url: string): Promise<void> {
  if (!existsSync(join(dataDir, sealingKeyName))) return;
  const newest = (await keysInFile(dataDir, sealingKeyName).read()).at(-1);
  await using db = await openDb(dataDir, url);
  if (newest !== undefined) await sealingKeysInDatabase(db).makeFirst(newest);
}

await runCommand(() => run(process.argv[2]));
