import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";

export interface Person {
  email: string;
  password: string;
}

/**
 * Makes an account through the page's own form, and waits for the dashboard.
 * @param url of the page ("http://localhost:5173")
 * @param search of the form's address ("?inspect")
 */
export async function signUp(page: Page, url: string, search = ""): Promise<Person> {
  const person = { email: `${randomUUID()}@example.org`, password: `correct horse ${randomUUID()}` };
  await page.goto(new URL(`/signup${search}`, url).href);
  const form = page.locator("form").filter({ has: page.locator("input[type=password]") });
  await form.locator("input[type=email]").fill(person.email);
  for (const field of await form.locator("input[type=password]").all()) await field.fill(person.password);
  await form.locator("button[type=submit]").click();
  await page.waitForURL((address) => address.pathname === "/dashboard");
  return person;
}
