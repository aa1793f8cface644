import type { AdminSubscription, AdminTranscription, AdminUser, Invoice } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { listActiveSessions } from "#server/session/active-sessions.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { Billing } from "#server/subscription/open-billing.ts";
import { findSubscription, findSubscriptionWith, isPremiumStatus, type SubscriptionRow } from "#server/subscription/queries.ts";
import { listUsageByMonth } from "#server/subscription/usage-queries.ts";
import { subscriptionView } from "#server/subscription/view.ts";
import { describeTranscriptionsOf } from "#server/transcription/statistics-queries.ts";
import { findUser } from "#server/users/queries.ts";
import type { User } from "#server/users/tables.ts";
import { findVault, measureVault } from "#server/vault/queries.ts";
import { findUserRow, samplesPerMinute } from "./users.ts";

/** Maximum number of transcriptions, and of months of usage. */
const latestTranscriptions = 50;
const latestMonths = 12;

/** @throws Problem `notFound` */
export async function findPerson(db: Db, id: string): Promise<User> {
  const user = await findUser(db, id);
  if (user === undefined) throw new Problem("notFound");
  return user;
}

/**
 * A person's details: numbers and times, without content.
 * @param asking the superuser, and their session
 * @throws Problem `notFound`
 */
export async function readUser(
  { db, billing, storage, now }: { db: Db; now: () => number; billing: Billing; storage: Storage },
  id: string,
  asking: { user: User; sessionId: string },
): Promise<AdminUser> {
  const user = await findPerson(db, id);
  const row = await findUserRow(db, id, now());
  if (row === undefined) throw new Problem("notFound");
  const subscription = await findSubscription(db, id);
  return {
    ...row,
    language: user.language,
    hasPassword: user.password_hash !== "",
    self: id === asking.user.id,
    usage: (await listUsageByMonth(db, id, latestMonths)).map(({ month, samples }) => ({
      month,
      minutes: samples / samplesPerMinute,
    })),
    signIns: await listActiveSessions(db, id, asking.sessionId),
    transcriptions: await transcriptionsOf(db, storage, id),
    vault: await vaultOf(db, id),
    subscription: subscription === undefined ? null : viewOf(subscription),
    invoices: await invoicesOf(db, billing, user),
  };
}

function viewOf(row: SubscriptionRow): AdminSubscription {
  return { ...subscriptionView(row), provider: row.provider, premium: isPremiumStatus(row.status) };
}

/** Without titles, texts and file names: all of them may contain spoken words. */
async function transcriptionsOf(db: Db, storage: Storage, userId: string): Promise<AdminUser["transcriptions"]> {
  const described = await describeTranscriptionsOf(db, userId, latestTranscriptions);
  const latest = described.latest.map(
    async (row): Promise<AdminTranscription> => ({
      id: row.id,
      date: new Date(row.date).toISOString(),
      origin: row.origin,
      language: row.source_language,
      status: row.status,
      durationSeconds: row.duration_seconds,
      size: row.audio_type === null ? null : ((await storage.audio(row.id))?.size ?? null),
      error: row.error_code,
    }),
  );
  return { total: described.total, latest: await Promise.all(latest) };
}

async function vaultOf(db: Db, userId: string): Promise<AdminUser["vault"]> {
  return (await findVault(db, userId)) === undefined ? null : measureVault(db, userId);
}

/** Past payments; null when the provider does not answer. */
async function invoicesOf(db: Db, billing: Billing, user: User): Promise<Invoice[] | null> {
  const paid = await findSubscriptionWith(db, billing.id, user.id);
  return paid === undefined ? [] : billing.invoices(user, paid).catch(() => null);
}
