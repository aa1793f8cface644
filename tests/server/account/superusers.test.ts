import { describe, expect, test } from "vitest";
import { LoginAnswer, MessageAnswer, UserProfile } from "#contract/index.ts";
import { startMailServer } from "#tests/fixtures/mail-server.ts";
import { openSql } from "#tests/server/database.ts";
import { asPerson, type Person, post, read, refusal, signUp, startTestServer, temporaryFolder } from "#tests/server/harness.ts";
import { failed, people, setUp, signIn } from "#tests/server/session/harness-federated.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";

const email = "superuser@parlance.local";
const password = "correct horse";
const passwordIn = (lines: readonly string[]) => /password: (\S+)/.exec(lines.join("\n"))?.[1] ?? "";
const me = async (person: Person) => read(await person.call("GET", "/users/me"), 200, UserProfile);

/**
 * Starts a server on the data of an earlier one.
 * @returns the server and the lines it printed
 */
async function startAgain(dataDir: string) {
  const lines: string[] = [];
  const server = await startTestServer({ dataDir, print: (line) => lines.push(line) });
  return { server, lines };
}

describe("last superuser", () => {
  // PROMISE administration: The first start creates a superuser; the last one keeps the right
  test("the last superuser can't delete their own account until there is another superuser", async () => {
    const lines: string[] = [];
    const server = await startTestServer({ print: (line) => lines.push(line) });
    const own = passwordIn(lines);
    const { accessToken } = await read(await post(server, "/auth/login", { email, password: own }), 200, LoginAnswer);
    const superuser = asPerson(server, accessToken, email);
    expect(await refusal(await superuser.call("DELETE", "/users/me", { password: own }))).toBe("409 lastSuperuser");
    expect(await me(superuser)).toMatchObject({ isSuperUser: true });
    const other = await signUpSuperuser(server);
    expect((await superuser.call("DELETE", "/users/me", { password: own })).status).toBe(204);
    expect(await refusal(await other.call("DELETE", "/users/me", { password }))).toBe("409 lastSuperuser");
  });

  test("one superuser remains when two delete themselves or demote each other at once", async () => {
    const server = await startTestServer();
    using db = openSql(server.dataDir);
    db.exec("update users set is_superuser = 0");
    const both = [await signUpSuperuser(server), await signUpSuperuser(server)];
    const deleted = await Promise.all(both.map((person) => person.call("DELETE", "/users/me", { password })));
    expect(deleted.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    const [left = both[0]] = both.filter((_, index) => deleted[index]?.status === 409);
    const second = await signUpSuperuser(server);
    const pair = [left, second].filter((person) => person !== undefined);
    const ids = await Promise.all(pair.map(async (person) => (await me(person)).id));
    const taken = await Promise.all(
      pair.map((person, index) =>
        person.call("PATCH", `/admin/users/${ids[1 - index]}`, { superuser: false, reason: "A quarrel" }),
      ),
    );
    expect(taken.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(db.prepare("select count(*) as n from users where is_superuser = 1").get()).toEqual({ n: 1 });
  });
});

describe("reserved address of the first superuser", () => {
  test("nobody can register the first superuser's address", async () => {
    const mail = await startMailServer();
    const registration = { email: " Superuser@Parlance.local", password: "battery staple nine" };
    const open = await startTestServer();
    using db = openSql(open.dataDir);
    db.exec("delete from users");
    expect(await refusal(await post(open, "/auth/register", registration))).toBe("409 emailTaken");
    const asks = await startTestServer({ env: mail.env });
    const known = await post(asks, "/auth/register", { ...registration, email: "ada@example.org" });
    const reserved = await post(asks, "/auth/register", registration);
    expect([reserved.status, await reserved.text()]).toEqual([known.status, await known.text()]);
    await post(asks, "/auth/forgot-password", { email: "superuser-7@parlance.local" });
    await post(asks, "/auth/register", { ...registration, email: "bob@example.org" });
    await expect.poll(() => mail.received.length).toBe(2);
    expect(mail.received.flatMap(({ to }) => to)).toEqual(["ada@example.org", "bob@example.org"]);
  });

  test("nobody can move an account to the first superuser's address", async () => {
    const mail = await startMailServer();
    const server = await startTestServer({ env: { ...mail.env, EMAIL_CONFIRMATION: "0" } });
    const person = await signUp(server);
    const wanted = "superuser-2@parlance.local";
    await read(await person.call("POST", "/users/me/email", { email: wanted, password }), 202, MessageAnswer);
    await read(await person.call("POST", "/users/me/email", { email: "new@example.org", password }), 202, MessageAnswer);
    await expect.poll(() => mail.received.length).toBe(3);
    expect(mail.received.flatMap(({ to }) => to).includes(wanted)).toBe(false);
  });

  test.each([email, "superuser-2@parlance.local"])(
    "refuses a sign-in when the provider says that the address is %s",
    async (claimed) => {
      const { server, start } = await setUp();
      people.impostor = { email: claimed, email_verified: true, name: "Not the superuser" };
      expect((await signIn(start, "impostor")).href).toBe(failed(server, "accountExists"));
    },
  );
});

describe("start of the server", () => {
  /** Data of a server whose superuser is gone and whose address belongs to an ordinary account. */
  async function withImpostor() {
    const first = await startTestServer();
    const person = await signUp(first);
    using db = openSql(first.dataDir);
    db.exec("delete from users where is_superuser = 1");
    db.prepare("update users set email = ? where email = ?").run(email, person.email);
    await first.close();
    return first.dataDir;
  }

  test("makes another superuser when the address belongs to an ordinary account", async () => {
    const dataDir = await withImpostor();
    const { server, lines } = await startAgain(dataDir);
    expect(lines[0]).toContain(`${email} is an ordinary account`);
    expect(lines[1]).toContain("Superuser: superuser-2@parlance.local, password: ");
    const ordinary = await read(await post(server, "/auth/login", { email, password }), 200, LoginAnswer);
    expect(ordinary.user?.isSuperUser).toBe(false);
    const credentials = { email: "superuser-2@parlance.local", password: passwordIn(lines) };
    expect((await read(await post(server, "/auth/login", credentials), 200, LoginAnswer)).user?.isSuperUser).toBe(true);
    await server.close();
    // A superuser exists now, so the next start creates and announces none.
    expect((await startAgain(dataDir)).lines).toEqual([]);
  });

  test("creates the superuser again when no account exists", async () => {
    const first = await startTestServer();
    using db = openSql(first.dataDir);
    db.exec("delete from users");
    await first.close();
    expect((await startAgain(first.dataDir)).lines[0]).toContain(`Superuser: ${email}, password: `);
  });

  test("two processes that start at the same time make one superuser", async () => {
    const dataDir = await temporaryFolder();
    const both = await Promise.all([startAgain(dataDir), startAgain(dataDir)]);
    expect(both.flatMap(({ lines }) => lines)).toHaveLength(1);
    using db = openSql(dataDir);
    expect(db.prepare("select count(*) as n from users where is_superuser = 1").get()).toEqual({ n: 1 });
  });
});
