import type { Db, DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import type { OpenConnections } from "#server/session/open-connections.ts";
import { hashOf } from "#server/session/secrets.ts";
import { findUserByEmail, verifyEmailIfPasswordIs } from "#server/users/queries.ts";
import { addUser } from "./create-user.ts";
import { changeCredential, proveAddress } from "./credentials.ts";
import { deleteLinkToken } from "./link-token-queries.ts";
import { addressOfToken } from "./link-tokens.ts";
import { hashNewPassword } from "./new-password.ts";
import type { Passwords } from "./passwords.ts";
import {
  deleteRegistrationLink,
  deleteWaiting,
  findRegistrationLinkEmail,
  listWaiting,
  type WaitingRegistration,
} from "./registration-queries.ts";

export interface PasswordOwner {
  userId: string;
  email: string;
  isNew: boolean;
}

interface Parts extends DbParts {
  connections: OpenConnections;
  passwords: Passwords;
}

/**
 * A mailed link proves an address only together with the password that was set with it: anybody can register any
 * address, and its owner may open any e-mail. So the password selects the registration that becomes an account, or
 * shows that the existing account belongs to the address's owner.
 * @throws Problem `linkInvalid`; `wrongPassword`, after which the link still works
 */
export async function confirmAddress(parts: Parts, token: string, password: string): Promise<void> {
  const { db, now, passwords } = parts;
  const email = await addressToProve(parts, token);
  const user = await findUserByEmail(db, email);
  if (user !== undefined && (await passwords.verify(password, user.password_hash, { person: email }))) {
    return db.transaction().execute(async (t) => {
      const { userId } = await useUp(t, token, email);
      if (!(await verifyEmailIfPasswordIs(t, userId ?? "", user.password_hash))) throw new Problem("linkInvalid");
    });
  }
  const registration = await registeredWith(passwords, await listWaiting(db, email, now()), password);
  if (registration === undefined) throw new Problem("wrongPassword");
  await settle(parts, token, email, registration);
}

/**
 * Sets a new password for the address that this link proves; pending registrations for it are discarded.
 * @param token of a link to an unconfirmed address
 * @throws Problem `linkInvalid`, `passwordCommon`, `passwordPersonal`
 */
export async function chooseFirstPassword(parts: Parts, token: string, password: string): Promise<PasswordOwner> {
  const email = await addressToProve(parts, token);
  const password_hash = await hashNewPassword(parts.passwords, password, email);
  const [newest] = await listWaiting(parts.db, email, parts.now());
  return settle(parts, token, email, { name: "", language: newest?.language ?? "en", password_hash });
}

/** The address that a link proves, if no account has proven it yet. @throws Problem `linkInvalid` */
async function addressToProve({ db, now }: Parts, token: string): Promise<string> {
  return (await findRegistrationLinkEmail(db, hashOf(token), now())) ?? addressOfToken(db, token, "confirm", now());
}

async function registeredWith(passwords: Passwords, waiting: readonly WaitingRegistration[], password: string) {
  for (const registration of waiting) {
    if (await passwords.verify(password, registration.password_hash, { person: registration.email })) return registration;
  }
  return undefined;
}

async function settle(
  parts: Parts,
  token: string,
  email: string,
  registration: Pick<WaitingRegistration, "name" | "language" | "password_hash">,
): Promise<PasswordOwner> {
  return changeCredential(parts, async (t) => {
    await useUp(t, token, email);
    const before = await findUserByEmail(t, email);
    if (before === undefined) {
      const { id } = await addUser(t, { ...registration, email, verified: true }, parts.now());
      return { userId: id, email, isNew: true };
    }
    await proveAddress(t, { userId: before.id, email }, registration.password_hash);
    return { userId: before.id, email, isNew: false };
  });
}

/**
 * Consumes the link and all others to this address.
 * @throws Problem `linkInvalid` if it was used in the meantime
 */
async function useUp(t: Db, token: string, email: string): Promise<{ userId: string | undefined }> {
  const user = await findUserByEmail(t, email);
  if (user?.email_verified === 1) throw new Problem("linkInvalid");
  const hash = hashOf(token);
  const isWaiting = await deleteRegistrationLink(t, hash);
  const isAccounts = await deleteLinkToken(t, hash);
  if (!isWaiting && !isAccounts) throw new Problem("linkInvalid");
  await deleteWaiting(t, email);
  return { userId: user?.id };
}
