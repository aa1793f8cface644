import type { Db } from "#server/db/open.ts";

// Queries on credentials that sessions depend on. They are here because the features that manage each credential depend
// on sessions.

export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  const enabled = db.selectFrom("second_factors").select("user_id").where("user_id", "=", userId);
  return (await enabled.where("enabled_at", "is not", null).executeTakeFirst()) !== undefined;
}

/**
 * The key that signs the passes of devices known for codes: the app's secret in its encrypted form. It ends with that
 * secret. Only someone who can read the database can read it.
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

/** Ends an account's pending registrations of passkeys. */
export async function deleteChallengesOf(t: Db, userId: string): Promise<void> {
  await t.deleteFrom("passkey_challenges").where("user_id", "=", userId).execute();
}

export async function deletePersonalTokensOf(t: Db, userId: string): Promise<void> {
  await t.deleteFrom("personal_tokens").where("user_id", "=", userId).execute();
}
