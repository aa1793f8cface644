import { Passkey, PasskeyCreation, PasskeyRequest, type UsedPasskey } from "#contract/index.ts";
import { type Person, post, read } from "#tests/server/harness.ts";
import { openVisitor, type Visitor } from "#tests/server/visitor.ts";
import { type Authenticator, openAuthenticator, type Wrong } from "./authenticator.ts";

export const password = "correct horse";
export const path = "/users/me/passkeys";

interface Server {
  apiUrl: string;
  pageUrl: string;
}

/** Options for a new passkey, requested with the password. */
export async function offered(person: Person): Promise<PasskeyCreation> {
  return read(await person.call("POST", `${path}/challenge`, { password }), 201, PasskeyCreation);
}

/** Adds a passkey as in the settings. */
export async function add(
  server: Server,
  person: Person,
  authenticator = openAuthenticator(server.pageUrl),
): Promise<{ authenticator: Authenticator; passkey: Passkey }> {
  const made = authenticator.make(await offered(person));
  const passkey = await read(await person.call("POST", path, { name: "My phone", made }), 201, Passkey);
  return { authenticator, passkey };
}

/** Options for a sign-in with a passkey. */
export async function requested(server: Server): Promise<PasskeyRequest> {
  return read(await post(server, "/auth/passkey/challenge", {}), 201, PasskeyRequest);
}

export function send(server: Server, used: UsedPasskey, visitor: Visitor = openVisitor()): Promise<Response> {
  return visitor.post(`${server.apiUrl}/auth/passkey`, { used });
}

/** Signs in with the passkey. */
export async function use(
  server: Server,
  authenticator: Authenticator,
  { visitor, ...wrong }: Wrong & { visitor?: Visitor } = {},
): Promise<Response> {
  return send(server, authenticator.use(await requested(server), wrong), visitor);
}
