import { join } from "node:path";
import { Kysely, PostgresAdapter, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { ObservedKysely } from "./changes.ts";
import { DatabaseGoneError } from "./errors.ts";
import * as first from "./migrations/0001-first.ts";
import * as identities from "./migrations/0002-identities.ts";
import * as subscriptions from "./migrations/0003-subscriptions.ts";
import * as usage from "./migrations/0004-usage.ts";
import * as conversations from "./migrations/0005-conversations.ts";
import * as vault from "./migrations/0006-vault.ts";
import * as uploadOptions from "./migrations/0007-upload-options.ts";
import * as account from "./migrations/0008-account.ts";
import * as billing from "./migrations/0009-billing.ts";
import * as fetches from "./migrations/0009-fetches.ts";
import * as inbox from "./migrations/0010-inbox.ts";
import * as avatar from "./migrations/0011-avatar.ts";
import * as blog from "./migrations/0012-blog.ts";
import * as blogSearch from "./migrations/0013-blog-search.ts";
import * as blogSchedule from "./migrations/0014-blog-schedule.ts";
import * as admin from "./migrations/0015-admin.ts";
import * as blogAnalytics from "./migrations/0016-blog-analytics.ts";
import * as credentials from "./migrations/0017-credentials.ts";
import * as linking from "./migrations/0018-linking.ts";
import * as deviceKeys from "./migrations/0019-device-keys.ts";
import * as mailOwners from "./migrations/0019-mail-owners.ts";
import * as returnCodes from "./migrations/0020-return-codes.ts";
import * as suspects from "./migrations/0021-suspects.ts";
import * as weights from "./migrations/0022-weights.ts";
import * as readerNetworks from "./migrations/0023-reader-networks.ts";
import * as usageMonths from "./migrations/0023-usage-months.ts";
import * as vocabularies from "./migrations/0024-vocabularies.ts";
import * as diarization from "./migrations/0025-diarization.ts";
import * as voiceProfiles from "./migrations/0026-voice-profiles.ts";
import * as heardBy from "./migrations/0027-heard-by.ts";
import * as trash from "./migrations/0028-trash.ts";
import * as blocked from "./migrations/0029-blocked.ts";
import * as blogImagesWithoutHost from "./migrations/0030-blog-images-without-host.ts";
import * as titleKeys from "./migrations/0031-title-keys.ts";
import * as shortTitleKeys from "./migrations/0032-short-title-keys.ts";
import * as fairJobs from "./migrations/0033-fair-jobs.ts";
import * as processes from "./migrations/0034-processes.ts";
import * as requestIds from "./migrations/0035-request-ids.ts";
import * as backups from "./migrations/0036-backups.ts";
import * as watchedFiles from "./migrations/0044-watched-files.ts";
import * as sharedPieces from "./migrations/0046-shared-pieces.ts";
import * as personalTokens from "./migrations/0052-personal-tokens.ts";
import * as insights from "./migrations/0053-insights.ts";
import * as filing from "./migrations/0054-filing.ts";
import * as sharedLinks from "./migrations/0055-shared-links.ts";
import * as search from "./migrations/0056-search.ts";
import * as webhooks from "./migrations/0057-webhooks.ts";
import * as retention from "./migrations/0058-retention.ts";
import * as notes from "./migrations/0059-notes.ts";
import * as signIns from "./migrations/0060-sign-ins.ts";
import * as notices from "./migrations/0061-notices.ts";
import * as secondFactor from "./migrations/0062-second-factor.ts";
import * as feeds from "./migrations/0063-feeds.ts";
import * as folderTemplates from "./migrations/0064-folder-templates.ts";
import * as passkeys from "./migrations/0065-passkeys.ts";
import * as videos from "./migrations/0066-videos.ts";
import * as transcriptionShares from "./migrations/0069-transcription-shares.ts";
import * as vaultLinks from "./migrations/0070-vault-links.ts";
import * as hiddenTranslations from "./migrations/0071-hidden-translations.ts";
import * as sealedLinkSecrets from "./migrations/0072-sealed-link-secrets.ts";
import * as attempts from "./migrations/0073-attempts.ts";
import { postgresDialect } from "./postgres.ts";
import { recordQuery } from "./record-query.ts";
import { SerializableKysely } from "./retry.ts";
import type { Schema } from "./schema.ts";
import { nodeSqliteDialect } from "./sqlite.ts";

export type Db = Kysely<Schema>;

/** In order of name; a released migration is never changed. */
const migrations: Record<string, Migration> = {
  "0001-first": first,
  "0002-identities": identities,
  "0003-subscriptions": subscriptions,
  "0004-usage": usage,
  "0005-conversations": conversations,
  "0006-vault": vault,
  "0007-upload-options": uploadOptions,
  "0008-account": account,
  "0009-fetches": fetches,
  "0009-billing": billing,
  "0010-inbox": inbox,
  "0011-avatar": avatar,
  "0012-blog": blog,
  "0013-blog-search": blogSearch,
  "0014-blog-schedule": blogSchedule,
  "0015-admin": admin,
  "0016-blog-analytics": blogAnalytics,
  "0017-credentials": credentials,
  "0018-linking": linking,
  "0019-device-keys": deviceKeys,
  "0019-mail-owners": mailOwners,
  "0020-return-codes": returnCodes,
  "0021-suspects": suspects,
  "0023-reader-networks": readerNetworks,
  "0023-usage-months": usageMonths,
  "0022-weights": weights,
  "0024-vocabularies": vocabularies,
  "0025-diarization": diarization,
  "0026-voice-profiles": voiceProfiles,
  "0027-heard-by": heardBy,
  "0028-trash": trash,
  "0029-blocked": blocked,
  "0030-blog-images-without-host": blogImagesWithoutHost,
  "0031-title-keys": titleKeys,
  "0032-short-title-keys": shortTitleKeys,
  "0033-fair-jobs": fairJobs,
  "0034-processes": processes,
  "0035-request-ids": requestIds,
  "0036-backups": backups,
  "0044-watched-files": watchedFiles,
  "0046-shared-pieces": sharedPieces,
  "0052-personal-tokens": personalTokens,
  "0053-insights": insights,
  "0054-filing": filing,
  "0055-shared-links": sharedLinks,
  "0056-search": search,
  "0057-webhooks": webhooks,
  "0058-retention": retention,
  "0059-notes": notes,
  "0060-sign-ins": signIns,
  "0061-notices": notices,
  "0062-second-factor": secondFactor,
  "0063-feeds": feeds,
  "0064-folder-templates": folderTemplates,
  "0065-passkeys": passkeys,
  "0066-videos": videos,
  "0069-transcription-shares": transcriptionShares,
  "0070-vault-links": vaultLinks,
  "0071-hidden-translations": hiddenTranslations,
  "0072-sealed-link-secrets": sealedLinkSecrets,
  "0073-attempts": attempts,
};

/**
 * Opens the database and migrates it: `<dataDir>/parlance.db`, whose folder must exist (data-folder.ts), or PostgreSQL. Of several
 * processes that open one at the same time, one migrates it and the others wait.
 * @param url postgres://…; default: the file
 * @throws when it can't be reached, is no database of Parlance or a migration fails
 */
export async function openDb(dataDir: string, url?: string): Promise<Db> {
  const db = connectDb(dataDir, url);
  try {
    if (!(await isUpToDate(db))) {
      const provider = { getMigrations: async () => migrations };
      // A number that was taken earlier may be released later: what a database lacks is made up for, wherever its name stands.
      const { error } = await new Migrator({ db, provider, allowUnorderedMigrations: true }).migrateToLatest();
      if (error !== undefined) throw error;
    }
    return db;
  } catch (error) {
    await db.destroy();
    const which = url === undefined ? `The database in ${dataDir}` : `The database ${shownUrl(url)}`;
    throw new Error(`${which} could not be opened and brought up to date.`, { cause: error });
  }
}

/** The same without bringing it up to date: for a program that may be newer than the server that runs. */
export function connectDb(dataDir: string, url?: string): Db {
  if (url !== undefined) return new SerializableKysely({ dialect: postgresDialect(url), log: recordQuery });
  return new ObservedKysely({ dialect: nodeSqliteDialect(join(dataDir, "parlance.db")), log: recordQuery });
}

/**
 * Whether it has exactly the migrations of this release: asking takes a statement, the migrator looks at every table.
 * @throws DatabaseGoneError
 */
export async function isUpToDate(db: Db): Promise<boolean> {
  const done = await appliedMigrations(db).catch((error: unknown) => {
    // A database without tables. What else is wrong, the migrator says.
    if (error instanceof DatabaseGoneError) throw error;
    return [];
  });
  return done.length === Object.keys(migrations).length && done.every((name) => name in migrations);
}

/** @throws when it is no database of Parlance */
async function appliedMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name);
}

/** @throws when the database does not answer */
export async function askDb(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

/** Opens it for reading alongside a server that may be running. Its tables may be of an earlier release. */
export function openDbToRead(dataDir: string, url?: string): Db {
  if (url !== undefined) return new Kysely<Schema>({ dialect: postgresDialect(url, true) });
  return new Kysely<Schema>({ dialect: nodeSqliteDialect(join(dataDir, "parlance.db"), true) });
}

/** Whether its rows are in PostgreSQL, which other machines may use, too; otherwise in the file that only this one has. */
export function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** A database's address without its password. */
function shownUrl(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
