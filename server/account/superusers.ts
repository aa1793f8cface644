import { randomBytes } from "node:crypto";
import type { Db, DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { findFirstSuperuser, findUserByEmail, hasOtherSuperuser, isSuperuser } from "#server/users/queries.ts";
import { superuserEmail } from "#server/users/reserved-addresses.ts";
import { createUser } from "./create-user.ts";
import type { Passwords } from "./passwords.ts";

/** @throws Problem `lastSuperuser` when this user is the only superuser */
export async function refuseLastSuperuser(t: Db, user: { id: string; is_superuser: number }): Promise<void> {
  if ((await isSuperuser(t, user.id)) && !(await hasOtherSuperuser(t, user.id))) throw new Problem("lastSuperuser");
}

interface Parts extends DbParts {
  passwords: Passwords;
}

/**
 * Creates a superuser if none exists, at the first start or later. An existing account with the reserved address
 * belongs to somebody and gets no rights: the superuser then gets the next reserved address.
 * @param parts `now` in epoch ms
 * @returns lines for the operator; the password is random and stored nowhere
 */
export async function ensureSuperuser(parts: Parts): Promise<string[]> {
  const { db, now } = parts;
  for (let number = 1; ; number++) {
    if ((await findFirstSuperuser(db)) !== undefined) return [];
    const email = number === 1 ? superuserEmail : superuserEmail.replace("@", `-${number}@`);
    if ((await findUserByEmail(db, email)) !== undefined) continue;
    const password = randomBytes(12).toString("base64url");
    try {
      await createUser(parts, { email, password, name: "Superuser" }, { at: now(), superuser: true, verified: true });
    } catch (error) {
      // Another process, started at the same time, was first.
      if (error instanceof Problem && error.code === "emailTaken") continue;
      throw error;
    }
    const made = `Superuser: ${email}, password: ${password} (shown this once)`;
    return number === 1 ? [made] : [taken, made];
  }
}

const taken = `No superuser existed, and ${superuserEmail} is an ordinary account, which was not changed. A superuser with another address was created: sign in with it, and make the right account a superuser (Admin Panel, Users).`;
