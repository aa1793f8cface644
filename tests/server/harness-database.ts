import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openDb } from "#server/db/open.ts";
import { makeTemporaryFolder, sweepTemporaryFolders } from "#tests/fixtures/temporary-root.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The path of a database that is migrated and empty: each test server starts with a copy. Migrating takes longer than most tests. */
    emptyDatabase: string;
  }
}

/** Runs once, before all of the server's tests. @returns removes the database after them */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  sweepTemporaryFolders();
  const folder = await makeTemporaryFolder(tmpdir());
  // Closed, so that it is one file.
  await (await openDb(folder)).destroy();
  provide("emptyDatabase", join(folder, "parlance.db"));
  return () => rm(folder, { recursive: true, force: true });
}
