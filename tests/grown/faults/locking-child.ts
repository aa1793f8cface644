// Holds the only lock of a database, as another program may, for tests: says "locked", and lets go with its standard input.
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";

const db = new DatabaseSync(process.argv[2] ?? "", { timeout: 10_000 });
db.exec("begin immediate");
console.log("locked");
await once(process.stdin.resume(), "end");
db.exec("rollback");
db.close();
