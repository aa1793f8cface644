import { DatabaseSync } from "node:sqlite";
import { openDb } from "#server/db/open.ts";

// Opens the database of a folder and kills itself before the given number of changing statements: `node dying-child.ts
// <folder> <number>`.

const [folder = "", number] = process.argv.slice(2);
const prepare = DatabaseSync.prototype.prepare;
let changes = 0;
DatabaseSync.prototype.prepare = function (statement, ...options) {
  if (/^\s*(create|alter|drop|insert|update|delete)\b/i.test(statement)) changes += 1;
  if (changes === Number(number)) process.kill(process.pid, "SIGKILL");
  return prepare.call(this, statement, ...options);
};
await (await openDb(folder)).destroy();
