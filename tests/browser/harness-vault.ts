import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright";
import { onTestFinished } from "vitest";
import { decodeToPcm, openEngines } from "#server/speech/index.ts";
import { createKeys } from "#src/features/vault/encryption.ts";
import { openSignedIn, type Parlance, type Person, signUp } from "./harness.ts";
import { ownConnection } from "./harness-account.ts";
import { openDatabase } from "./harness-data.ts";

export const passphrase = "correct horse battery";

/** Creates an account with a subscription, as a payment does. */
export async function signUpSubscribed(page: Page, server: Parlance): Promise<Person> {
  const person = await signUp(page, server.url);
  subscribe(server, person);
  return person;
}

/** Adds a subscription as a payment does. */
export function subscribe(server: Parlance, person: Person): void {
  using db = openDatabase(server);
  db.prepare(
    `insert into subscriptions (id, user_id, status, plan, interval, period_end, cancel_at_period_end, created_at)
     select ?, id, 'active', 'premium', 'month', null, 0, 1 from users where email = ?`,
  ).run(randomUUID(), person.email);
}

export const button = (page: Page | Locator, name: string | RegExp): Locator => page.getByRole("button", { name, exact: true });
export const listed = (page: Page): Locator => page.getByTestId("vault-item");
export const heading = (page: Page, name: string): Locator => page.getByRole("heading", { name, exact: true });

/**
 * Creates a vault and opens it.
 * @returns the recovery key
 */
export async function makeVault(page: Page, server: Parlance, words = passphrase): Promise<string> {
  await page.goto(new URL("/encrypted-audio", server.url).href);
  await page.getByLabel("Passphrase", { exact: true }).fill(words);
  await page.getByLabel("Repeat passphrase").fill(words);
  await button(page, "Create vault").click();
  const key = await page.getByTestId("recovery-key").textContent();
  await page.getByLabel("I’ve saved it").check();
  await button(page, "Continue").click();
  await heading(page, "In the vault").waitFor();
  return key ?? "";
}

const vaultRoute = "/api/v1/encrypted-audio";

/** The base-2 logarithm of scrypt's work factor. With the page's own factor, each unlocking takes a second. */
const lowWorkFactor = 10;

/**
 * Creates a user's vault through the API.
 * @param token the user's access token
 * @returns the recovery key
 */
export async function putVault(server: Parlance, token: string): Promise<string> {
  const { vault, recoveryKey } = await createKeys(passphrase, lowWorkFactor);
  const headers = { ...ownConnection, "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  const answer = await fetch(`${server.apiUrl}${vaultRoute}/vault`, { method: "POST", headers, body: JSON.stringify(vault) });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return recoveryKey;
}

/**
 * Opens an existing vault for a new user with a subscription.
 * @returns the recovery key
 */
export async function openVault(page: Page, server: Parlance): Promise<string> {
  let recoveryKey = "";
  await openSignedIn(page, server, async (person) => {
    subscribe(server, person);
    recoveryKey = await putVault(server, await page.evaluate(() => localStorage.getItem("jwtToken") ?? ""));
    return "/encrypted-audio";
  });
  await unlock(page);
  await heading(page, "In the vault").waitFor();
  return recoveryKey;
}

export async function unlock(page: Page, words = passphrase): Promise<void> {
  await page.getByLabel("Passphrase", { exact: true }).fill(words);
  await page.keyboard.press("Enter");
}

/** Chooses an action from an item's menu. */
export async function choose(item: Locator, name: string | RegExp): Promise<void> {
  await item.getByText("More", { exact: true }).click();
  await button(item, name).click();
}

/** Reduces a text to lower-case letters and single spaces. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z ]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();

/** A folder that is deleted after the test. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "parlance-vault-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** The words that the built-in model recognizes in an audio file of any format. */
export async function wordsIn(sound: string): Promise<string> {
  const engines = await openEngines({ dataDir: "/nonexistent", parallel: 1 });
  try {
    const choice = engines.forLanguage("en", "files");
    if (choice === undefined) throw new Error("There is no built-in model.");
    const chunks: Buffer[] = [];
    await decodeToPcm(sound, { onPcm: (chunk) => void chunks.push(Buffer.from(chunk)) });
    const segments = await choice.engine.transcribe(Buffer.concat(chunks), { language: choice.language });
    return plain(segments.map(({ text }) => text).join(" "));
  } finally {
    await engines.close();
  }
}

/**
 * Starts a download and saves the file at the path.
 * @returns the file name that the page suggests
 */
export async function download(page: Page, act: () => Promise<void>, path: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent("download"), act()]);
  await file.saveAs(path);
  return file.suggestedFilename();
}
