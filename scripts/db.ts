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

// `npm run db -- move`: takes the database in the data folder (PARLANCE_DATA) over to an empty one in PostgreSQL (DATABASE_URL), checked
// row by row. `npm run db -- check`: compares the two.

const usage = "npm run db -- move | check";

/** @returns what to do next */
async function run(command: string | undefined): Promise<string> {
  if (command !== "move" && command !== "check") throw new MoveError(usage);
  const { dataDir, databaseUrl: url, jwtSecrets } = readConfig(process.env);
  if (url === undefined) throw new MoveError("DATABASE_URL is not set: postgres://user:password@host:5432/parlance.");
  const onTable = (name: string, rows: number) => {
    if (rows > 0) console.log(`${name}: ${rows} ${rows === 1 ? "row is" : "rows are"} the same`);
  };
  if (command === "check") return `${await compareWithPostgres({ dataDir, url, onTable })} rows are the same in both.`;
  const rows = await moveToPostgres({ dataDir, url, onTable });
  if (jwtSecrets === undefined) await takeKeys(dataDir, url);
  await takeSealingKey(dataDir, url);
  return `${rows} rows were moved.

Next: start Parlance with this DATABASE_URL. The files (audio, vault, pictures) stay in ${dataDir}. parlance.db stays there, too, but is
not read any more: without DATABASE_URL Parlance would go on with it as it is now. Delete it when you are sure.`;
}

/** So that those who are signed in stay it. */
async function takeKeys(dataDir: string, url: string): Promise<void> {
  // One that was never started has none.
  if (!existsSync(join(dataDir, "jwt-secret"))) return;
  const keys = await keysInFile(dataDir).read();
  await using db = await openDb(dataDir, url);
  await keysInDatabase(db).change(() => keys);
}

/** So that codes of authenticator apps are still accepted. */
async function takeSealingKey(dataDir: string, url: string): Promise<void> {
  if (!existsSync(join(dataDir, sealingKeyName))) return;
  const newest = (await keysInFile(dataDir, sealingKeyName).read()).at(-1);
  await using db = await openDb(dataDir, url);
  if (newest !== undefined) await sealingKeysInDatabase(db).makeFirst(newest);
}

await runCommand(() => run(process.argv[2]));
