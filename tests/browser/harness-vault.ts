import { randomUUID } from "node:crypto";
import { glob, open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Locator, Page } from "playwright-core";
import { type Parlance, type Person, signUp } from "./harness.ts";

export const passphrase = "correct horse battery";

/** Makes an account that has subscribed, as a payment would. */
export async function signUpSubscribed(page: Page, server: Parlance): Promise<Person> {
  const person = await signUp(page, server.url);
  using db = new DatabaseSync(join(server.dataDir, "parlance.db"), { timeout: 10_000 });
  db.prepare(
    `insert into subscriptions (id, user_id, status, plan, interval, period_end, cancel_at_period_end, created_at)
     select ?, id, 'active', 'premium', 'month', null, 0, 1 from users where email = ?`,
  ).run(randomUUID(), person.email);
  return person;
}

export const button = (page: Page | Locator, name: string | RegExp): Locator => page.getByRole("button", { name, exact: true });
export const listed = (page: Page): Locator => page.getByTestId("vault-item");
export const heading = (page: Page, name: string): Locator => page.getByRole("heading", { name, exact: true });

/** Makes a vault and opens it. @returns the recovery key */
export async function makeVault(page: Page, server: Parlance, words = passphrase): Promise<string> {
  await page.goto(new URL("/encrypted-audio", server.url).href);
  await page.getByLabel("Passphrase").fill(words);
  await page.getByLabel("Once more").fill(words);
  await button(page, "Make the vault").click();
  const key = await page.getByTestId("recovery-key").textContent();
  await page.getByLabel("I have kept it").check();
  await button(page, "Continue").click();
  await heading(page, "In the vault").waitFor();
  return key ?? "";
}

export async function unlock(page: Page, words = passphrase): Promise<void> {
  await page.getByLabel("Passphrase").fill(words);
  await page.keyboard.press("Enter");
}

/** Whether any file of a data folder has it in it. */
export async function holds(dataDir: string, secret: string | Uint8Array): Promise<boolean> {
  const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
  for (const file of names) {
    if (file.isFile() && (await readFile(join(file.parentPath, file.name))).includes(secret)) return true;
  }
  return false;
}

/** Chooses a thing from an item's menu. */
export async function choose(item: Locator, name: string | RegExp): Promise<void> {
  await item.getByText("More", { exact: true }).click();
  await button(item, name).click();
}

/** Changes one byte in the middle of the stored file of about that size. */
export async function tamper(dataDir: string, about: number): Promise<{ size: number }> {
  for await (const path of glob(join(dataDir, "vault/*/content"))) {
    await using file = await open(path, "r+");
    const { size } = await file.stat();
    if (Math.abs(size - about) > 1500) continue;
    const byte = Buffer.alloc(1);
    await file.read(byte, 0, 1, size - 5000);
    await file.write(Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, size - 5000);
    return { size };
  }
  throw new Error("There is no such file in the vault.");
}
