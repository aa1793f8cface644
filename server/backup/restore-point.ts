import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import type { Bucket } from "#server/storage/bucket.ts";
import { databaseName, Manifest, pointsFolder } from "./format.ts";
import { holdsPoint, stagePointOf } from "./restore-bucket.ts";

// The data from before a restore: in `restore-points/<time>` of the data folder, and of the bucket.

/** The folder with the copy of the PostgreSQL database, within a restore point. */
export const dumpFolder = ".postgres";
/** Says what a restore point is of. Points of earlier releases have none. */
const aboutName = ".point.json";
/** Entries of a restore point that were not in the data folder. */
export const ownEntries: ReadonlySet<string> = new Set([dumpFolder, aboutName]);

const About = v.pick(Manifest, ["database", "files"]);
export type About = v.InferOutput<typeof About>;

/** @param at epoch ms @returns absolute */
export const pointAt = (dataDir: string, at: number): string =>
  join(dataDir, pointsFolder, new Date(at).toISOString().replaceAll(":", "-"));

export const describePoint = (point: string, about: About): Promise<void> =>
  writeFile(join(point, aboutName), JSON.stringify(about), { mode: 0o600 });

/**
 * The folder of a restore point.
 * @param name as in `restore-points/`
 * @throws Error with a message that lists the existing ones
 */
export async function findPoint(dataDir: string, name: string): Promise<string> {
  const names = existsSync(join(dataDir, pointsFolder)) ? (await readdir(join(dataDir, pointsFolder))).toSorted() : [];
  if (names.includes(name)) return join(dataDir, pointsFolder, name);
  const there = names.length === 0 ? "There is no restore point." : `There are: ${names.join(", ")}`;
  throw new Error(`${name} is no restore point in ${join(dataDir, pointsFolder)}. ${there}`);
}

/**
 * Copies a restore point's content beside the current data, so that the point stays unchanged.
 * @returns its description
 */
export async function stagePoint(point: string, name: string, staging: string, bucket: Bucket | undefined): Promise<About> {
  const about = await aboutOf(point, name, bucket);
  await mkdir(staging, { recursive: true, mode: 0o700 });
  const copy = (from: string, to: string) => cp(from, join(staging, to), { recursive: true, preserveTimestamps: true });
  for (const entry of await readdir(point)) if (!ownEntries.has(entry)) await copy(join(point, entry), entry);
  const dump = join(point, dumpFolder, databaseName);
  if (existsSync(dump)) await copy(dump, databaseName);
  if (about.files === "bucket" && bucket !== undefined) await stagePointOf(bucket, name);
  return about;
}

async function aboutOf(point: string, name: string, bucket: Bucket | undefined): Promise<About> {
  const path = join(point, aboutName);
  if (existsSync(path)) return v.parse(About, JSON.parse(await readFile(path, "utf8")));
  const inBucket = bucket !== undefined && (await holdsPoint(bucket, name));
  return { database: existsSync(join(point, dumpFolder)) ? "postgres" : "sqlite", files: inBucket ? "bucket" : "folder" };
}
