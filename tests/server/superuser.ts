import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Running } from "../../server/start.ts";
import { type Person, signUp } from "./harness.ts";

/** A new person who may do everything. */
export async function signUpSuperuser(server: Pick<Running, "apiUrl"> & { dataDir: string }): Promise<Person> {
  const person = await signUp(server);
  using db = new DatabaseSync(join(server.dataDir, "parlance.db"), { timeout: 10_000 });
  db.prepare("update users set is_superuser = 1 where email = ?").run(person.email);
  return person;
}
