import { CreatedPersonalToken, type NewPersonalToken, tokenScopes } from "#contract/index.ts";
import { asPerson, type Person, read } from "#tests/server/harness.ts";

/**
 * Creates a personal access token of this person.
 * @returns the token, and a caller that uses it
 */
export async function makeToken(
  person: Person,
  wanted: Partial<NewPersonalToken> = {},
): Promise<{ made: CreatedPersonalToken; program: Person }> {
  const body = { name: "A script", scopes: [...tokenScopes], days: 30, password: "correct horse", ...wanted };
  const made = await read(await person.call("POST", "/users/me/tokens", body), 201, CreatedPersonalToken);
  return { made, program: asPerson(person, made.token) };
}
