import { generate } from "otplib";
import { LoginAnswer, RecoveryCodesAnswer, SecondFactorSecret } from "#contract/index.ts";
import { asPerson, type Person, read, type TestClock } from "#tests/server/harness.ts";
import { openVisitor, type Visitor } from "#tests/server/visitor.ts";

export const password = "correct horse";
export const path = "/users/me/second-factor";

/**
 * The code that an authenticator app shows.
 * @param at epoch ms
 */
export const codeAt = (secret: string, at: number): Promise<string> => generate({ secret, epoch: Math.floor(at / 1000) });

/** Turns on two-step sign-in as in the settings. Advances the clock by 30 s, so that the next code is another one. */
export async function turnOn(person: Person, clock: TestClock): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = await read(await person.call("POST", path, { password }), 201, SecondFactorSecret);
  const code = await codeAt(secret, clock.now());
  const { recoveryCodes } = await read(await person.call("POST", `${path}/confirmation`, { code }), 200, RecoveryCodesAnswer);
  clock.advance(30_000);
  return { secret, recoveryCodes };
}

/** A browser after the right password. */
export async function typePassword(server: { apiUrl: string }, email: string): Promise<{ visitor: Visitor; answer: Response }> {
  const visitor = openVisitor();
  return { visitor, answer: await visitor.post(`${server.apiUrl}/auth/login`, { email, password }) };
}

export const typeCode = (server: { apiUrl: string }, visitor: Visitor, code: string): Promise<Response> =>
  visitor.post(`${server.apiUrl}/auth/second-factor`, { code });

/** The person signed in by the answer to the code. */
export async function signedIn(server: { apiUrl: string }, answer: Response, email: string): Promise<Person> {
  return asPerson(server, (await read(answer, 200, LoginAnswer)).accessToken, email);
}
