import type { Db } from "#server/db/open.ts";

// What a session depends on, and what ends with a change of a credential. The features that manage each credential stand on the session.

export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  const enabled = db.selectFrom("second_factors").select("user_id").where("user_id", "=", userId);
  return (await enabled.where("enabled_at", "is not", null).executeTakeFirst()) !== undefined;
}

/**
 * The key that signs the passes of devices that are known for codes: what the database keeps of the app's secret, encrypted.
 * It ends with that secret, and nobody can read it who can't read the database.
 */
export async function findCodeDeviceKey(db: Db, userId: string): Promise<string | undefined> {
  const enabled = db.selectFrom("second_factors").select("sealed_secret").where("user_id", "=", userId);
  return (await enabled.where("enabled_at", "is not", null).executeTakeFirst())?.sealed_secret;
}

export async function hasPasskey(t: Db, userId: string, id: string): Promise<boolean> {
  const own = t.selectFrom("passkeys").select("id").where("id", "=", id).where("user_id", "=", userId);
  return (await own.executeTakeFirst()) !== undefined;
}

/** Whether a session began with a passkey that its account still has. */
export async function beganWithPasskey(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const began = db
    .selectFrom("sessions")
    .innerJoin("passkeys", "passkeys.id", "sessions.passkey_id")
    .select("passkeys.id")
    .where("sessions.id", "=", sessionId)
    .where("passkeys.user_id", "=", userId);
  return (await began.executeTakeFirst()) !== undefined;
}

export async function deletePasskeysOf(t: Db, userId: string): Promise<void> {
  await t.deleteFrom("passkeys").where("user_id", "=", userId).execute();
}

/** Ends passkeys of an account that are being added. */
export async function deleteChallengesOf(t: Db, userId: string): Promise<void> {
  await t.deleteFrom("passkey_challenges").where("user_id", "=", userId).execute();
}

export async function deletePersonalTokensOf(t: Db, userId: string): Promise<void> {
  await t.deleteFrom("personal_tokens").where("user_id", "=", userId).execute();
}
