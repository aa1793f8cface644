import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openDb } from "#server/db/open.ts";
import { makeTemporaryFolder, sweepTemporaryFolders } from "#tests/fixtures/temporary-root.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The path of an empty, migrated database that each test server copies. Migrating takes longer than most tests. */
    emptyDatabase: string;
  }
}

/** Runs once before all server tests. @returns a function that removes the database afterwards */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  sweepTemporaryFolders();
  const folder = await makeTemporaryFolder(tmpdir());
  // Closed, so that the database is a single file.
  await (await openDb(folder)).destroy();
  provide("emptyDatabase", join(folder, "parlance.db"));
  return () => rm(folder, { recursive: true, force: true });
}
