import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { decodeJwt, decodeProtectedHeader, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { LoginAnswer } from "#contract/index.ts";
import { keysInFile } from "#server/session/key-file.ts";
import { listKeys, rotateKeys } from "#server/session/signing-keys.ts";
import { childEnv } from "#tests/fixtures/child-env.ts";
import { onPostgres } from "#tests/server/database.ts";
import {
  asPerson,
  type Person,
  post,
  read,
  signInAgain,
  signUp,
  startTestServer,
  temporaryFolder,
  testClock,
} from "#tests/server/harness.ts";

const cli = join(import.meta.dirname, "../../../scripts/keys.ts");
const hour = 3_600_000;

const keys = (dataDir: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", cli, ...args], {
    env: { ...childEnv(), PARLANCE_DATA: dataDir },
  });

const isHeard = async (server: { apiUrl: string }, token: string) =>
  (await asPerson(server, token).call("GET", "/auth/ping")).status === 200;
const keyOf = ({ token }: Person) => decodeProtectedHeader(token).kid;

/** The person's token with another header or signature. */
function forged({ token }: Person, secret: Uint8Array, header: { alg: string; kid?: string }): Promise<string> {
  return new SignJWT(decodeJwt(token)).setProtectedHeader({ typ: "JWT", ...header }).sign(secret);
}

async function firstSecret(dataDir: string): Promise<Uint8Array> {
  return new TextEncoder().encode((await readFile(join(dataDir, "jwt-secret"), "utf8")).split("\n")[0]?.split(" ")[0]);
}

// With PostgreSQL the keys are in the database.
describe.skipIf(onPostgres)("signing keys in the data folder", () => {
  test("a new key signs within seconds, and the previous key stays valid for its tokens", async () => {
    const clock = testClock(Date.now());
    const server = await startTestServer({ now: clock.now });
    const before = await signUp(server);
    expect(keyOf(before)).toMatch(/^[\w-]{12}$/);
    const { stdout } = await keys(server.dataDir, "rotate");
    const ids = (await listKeys(keysInFile(server.dataDir), clock.now())).map(({ id }) => id);
    expect(ids).toEqual([keyOf(before), expect.not.stringMatching(`^${keyOf(before)}$`)]);
    expect(stdout).toContain(`${ids[1]} signs. Running servers use it within 5 seconds.`);
    clock.advance(5_000);
    const after = await signInAgain(server, before);
    expect(keyOf(after)).toBe(ids[1]);
    expect(await isHeard(server, after.token)).toBe(true);
    expect(await isHeard(server, before.token)).toBe(true);
    expect((await keys(server.dataDir, "list")).stdout).toBe(`${ids[1]} signs\n${ids[0]} is accepted\n`);
  });

  test("an old key expires after its last token, and the next rotation removes it from the file", async () => {
    const clock = testClock(Date.now());
    const server = await startTestServer({ now: clock.now });
    const person = await signUp(server);
    const secret = await firstSecret(server.dataDir);
    await rotateKeys(keysInFile(server.dataDir), { now: clock.now(), atOnce: false });
    clock.advance(12 * hour - 60_000);
    const old = async () => forged(await signInAgain(server, person), secret, { alg: "HS256", kid: keyOf(person) ?? "" });
    expect(await isHeard(server, await old())).toBe(true);
    clock.advance(60_000);
    expect(await isHeard(server, await old())).toBe(false);
    await rotateKeys(keysInFile(server.dataDir), { now: clock.now(), atOnce: false });
    expect(await readFile(join(server.dataDir, "jwt-secret"), "utf8")).not.toContain(new TextDecoder().decode(secret));
  });

  test("rotating with --now refuses older tokens, and the refresh cookie still works", async () => {
    const clock = testClock(Date.now());
    const server = await startTestServer({ now: clock.now });
    const person = await signUp(server);
    const login = await post(server, "/auth/login", { email: person.email, password: "correct horse" });
    const cookie = login.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
    await keys(server.dataDir, "rotate", "--now");
    clock.advance(5_000);
    expect(await isHeard(server, person.token)).toBe(false);
    const renewed = await fetch(`${server.apiUrl}/auth/refresh`, { method: "POST", headers: { Cookie: cookie } });
    const { accessToken } = await read(renewed, 200, LoginAnswer);
    expect(await isHeard(server, accessToken)).toBe(true);
  });

  test("accepts a token at once whose key another process has just made", async () => {
    const clock = testClock(Date.now());
    const one = await startTestServer({ now: clock.now });
    const person = await signUp(one);
    await rotateKeys(keysInFile(one.dataDir), { now: clock.now(), atOnce: false });
    const elsewhere = await startTestServer({ now: clock.now, dataDir: one.dataDir });
    const fresh = await signInAgain(elsewhere, person);
    clock.advance(1_000);
    expect(keyOf(fresh)).not.toBe(keyOf(person));
    expect(await isHeard(one, fresh.token)).toBe(true);
  });

  test("only the server's user can read the key file, also after a rotation", async () => {
    const { dataDir } = await startTestServer();
    await keys(dataDir, "rotate");
    expect((await stat(join(dataDir, "jwt-secret"))).mode & 0o777).toBe(0o600);
  });

  test("accepts tokens of an earlier release without a key id only with the first key", async () => {
    const clock = testClock(Date.now());
    const server = await startTestServer({ now: clock.now });
    const person = await signUp(server);
    const first = await firstSecret(server.dataDir);
    await rotateKeys(keysInFile(server.dataDir), { now: clock.now(), atOnce: false });
    clock.advance(5_000);
    expect(await isHeard(server, await forged(person, first, { alg: "HS256" }))).toBe(true);
    expect(await isHeard(server, await forged(person, randomBytes(48), { alg: "HS256" }))).toBe(false);
  });

  test.each([
    ["an unknown key", { alg: "HS256", kid: "unknown" }],
    ["another algorithm, HS384", { alg: "HS384" }],
    ["another algorithm, HS512", { alg: "HS512" }],
  ])("refuses a correctly signed token that names %s", async (_, header) => {
    const server = await startTestServer();
    const person = await signUp(server);
    const secret = await firstSecret(server.dataDir);
    expect(await isHeard(server, await forged(person, secret, { alg: "HS256", kid: keyOf(person) ?? "" }))).toBe(true);
    expect(await isHeard(server, await forged(person, secret, { kid: keyOf(person) ?? "", ...header }))).toBe(false);
  });

  test("ignores a damaged key file while running, and names it at the next start", async () => {
    const clock = testClock(Date.now());
    const lines: string[] = [];
    const server = await startTestServer({
      now: clock.now,
      env: { LOG_LEVEL: "error" },
      writeLog: (line) => void lines.push(line),
    });
    const person = await signUp(server);
    await writeFile(join(server.dataDir, "jwt-secret"), "short\n");
    clock.advance(5_000);
    expect(await isHeard(server, person.token)).toBe(true);
    expect(lines.join("")).toContain("signing keys");
    await expect(startTestServer({ dataDir: server.dataDir })).rejects.toThrow(/jwt-secret is damaged/);
  });
});

describe("JWT_SECRET", () => {
  const [older, newer] = ["o".repeat(32), "n".repeat(40)];

  test("the first secret in JWT_SECRET signs, and the others are accepted until they are removed", async () => {
    const dataDir = await temporaryFolder();
    const start = (JWT_SECRET: string) => startTestServer({ dataDir, env: { JWT_SECRET } });
    const first = await start(older);
    const before = await signUp(first);
    const nameless = await forged(before, new TextEncoder().encode(older), { alg: "HS256" });
    await first.close();
    const second = await start(`${newer}, ${older}`);
    expect(await isHeard(second, before.token)).toBe(true);
    expect(await isHeard(second, nameless)).toBe(true);
    const after = await signInAgain(second, before);
    expect(keyOf(after)).not.toBe(keyOf(before));
    await second.close();
    const third = await start(newer);
    expect([await isHeard(third, after.token), await isHeard(third, before.token), await isHeard(third, nameless)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("a single JWT_SECRET may contain a comma", async () => {
    const server = await startTestServer({ env: { JWT_SECRET: "a phrase that was chosen, when there could be one alone" } });
    expect(await isHeard(server, (await signUp(server)).token)).toBe(true);
    await expect(startTestServer({ env: { JWT_SECRET: "too short, as a whole" } })).rejects.toThrow(
      /must have at least 32 characters/,
    );
  });

  test("every secret in JWT_SECRET must be long enough", async () => {
    await expect(startTestServer({ env: { JWT_SECRET: `${newer},short` } })).rejects.toThrow(
      /must have at least 32 characters \(each/,
    );
  });

  test("the rotate command explains how to change JWT_SECRET", async () => {
    const env = { ...childEnv(), JWT_SECRET: older };
    const run = promisify(execFile)(process.execPath, [cli, "rotate"], { env });
    await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("Put a new one in front of them") });
  });
});

test("the keys command lists its subcommands when it gets an unknown one", async () => {
  await expect(keys(await temporaryFolder(), "rotat")).rejects.toMatchObject({
    code: 1,
    stderr: "npm run keys -- list | rotate [--now]\n",
  });
});
