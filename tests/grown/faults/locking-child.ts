// Locks a database for writing, as another program may. Prints "locked", and releases the lock when its standard input
// ends.
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";

const db = new DatabaseSync(process.argv[2] ?? "", { timeout: 10_000 });
db.exec("begin immediate");
console.log("locked");
await once(process.stdin.resume(), "end");
db.exec("rollback");
db.close();
