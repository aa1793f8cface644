import type { Registration } from "../../src/api/contract/index.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problem.ts";
import { letterTo, sendConfirmation } from "./account-letters.ts";
import { hashPassword } from "./passwords.ts";
import { createUser, findUserByEmail } from "./users.ts";

/**
 * Makes an account that waits for its address to be confirmed. Whether there is one already is told to nobody but the address: by a
 * mail. One that was never confirmed belongs to nobody: what is registered last is what a link confirms, and earlier links are void.
 */
export async function registerUnconfirmed(deps: Deps, registration: Registration): Promise<void> {
  const { db, now } = deps;
  try {
    const user = await createUser(db, registration, { at: now() });
    return await sendConfirmation(deps, user, registration.language);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "emailTaken") throw error;
  }
  const user = await findUserByEmail(db, registration.email);
  if (user === undefined) return;
  if (user.email_verified === 1) return letterTo(deps, user.id, "known", { path: "/forgot-password" });
  const change = { password_hash: await hashPassword(registration.password), name: registration.name };
  await db.updateTable("users").set(change).where("id", "=", user.id).where("email_verified", "=", 0).execute();
  await sendConfirmation(deps, user, registration.language);
}
