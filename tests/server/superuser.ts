import { LoginAnswer } from "#contract/index.ts";
import type { Running } from "#server/start.ts";
import { openSql } from "#tests/server/database.ts";
import { asPerson, type Person, post, read, signUp, startTestServer } from "./harness.ts";

/** Starts a server and signs in its superuser. */
export async function startWithSuperuser(
  options: Parameters<typeof startTestServer>[0] = {},
): Promise<{ server: Awaited<ReturnType<typeof startTestServer>>; superuser: Person }> {
  let password = "";
  const print = (line: string) => {
    password = /password: (\S+)/.exec(line)?.[1] ?? password;
  };
  const server = await startTestServer({ print, ...options });
  const email = "superuser@parlance.local";
  const { accessToken } = await read(await post(server, "/auth/login", { email, password }), 200, LoginAnswer);
  return { server, superuser: asPerson(server, accessToken, email) };
}

/** A new person with superuser rights. */
export async function signUpSuperuser(server: Pick<Running, "apiUrl"> & { dataDir: string }): Promise<Person> {
  const person = await signUp(server);
  using db = openSql(server.dataDir);
  db.prepare("update users set is_superuser = 1 where email = ?").run(person.email);
  return person;
}
