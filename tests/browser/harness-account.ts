import { randomUUID } from "node:crypto";
import type { Page } from "playwright";
import * as v from "valibot";
import { LoginAnswer } from "#contract/index.ts";
import { clockOffsetOf } from "#src/features/session/jwt.ts";
import type { Parlance } from "./harness-server.ts";

export interface Person {
  email: string;
  password: string;
}

const newPerson = (): Person => ({ email: `${randomUUID()}@example.org`, password: `correct horse ${randomUUID()}` });

/**
 * Creates an account through the page's own form, and waits for the dashboard. For tests of the sign-up only: `enter`
 * takes a quarter of the time.
 * @param url the page's address ("http://localhost:5173")
 * @param search the query of the form's address ("?inspect")
 */
export async function signUp(page: Page, url: string, search = ""): Promise<Person> {
  const person = newPerson();
  await page.goto(new URL(`/signup${search}`, url).href);
  const form = page.locator("form").filter({ has: page.locator("input[type=password]") });
  await form.locator("input[type=email]").fill(person.email);
  for (const field of await form.locator("input[type=password]").all()) await field.fill(person.password);
  await form.locator("button[type=submit]").click();
  await page.waitForURL((address) => address.pathname === "/dashboard");
  return person;
}

/**
 * Creates an account through the API and stores its session in the page's profile (cookies and storage), as a sign-up
 * does. Loads nothing of the product: the page shows a static file of the server, from which the test starts.
 */
export async function enter(page: Page, { url, apiUrl }: Pick<Parlance, "url" | "apiUrl">): Promise<Person> {
  const person = newPerson();
  await keepSession(page, url, `${apiUrl}/auth/register`, person);
  return person;
}

/** Signs in to an existing account in the same way. */
export async function enterAs(page: Page, { url, apiUrl }: Pick<Parlance, "url" | "apiUrl">, person: Person): Promise<void> {
  await keepSession(page, url, `${apiUrl}/auth/login`, person);
}

/** Signs in as the superuser that the server's first start creates. */
export async function enterAsSuperuser(page: Page, server: Pick<Parlance, "url" | "apiUrl" | "log">): Promise<Person> {
  const person = { email: "superuser@parlance.local", password: /password: (\S+)/.exec(server.log())?.[1] ?? "" };
  await enterAs(page, server, person);
  return person;
}

/**
 * Headers for a test's own requests: a new connection for each. The server may close a kept connection after five idle
 * seconds at the very moment of the next request. (The browser retries the page's requests.)
 */
export const ownConnection = { Connection: "close" } as const;

async function keepSession(page: Page, url: string, route: string, { email, password }: Person): Promise<void> {
  const answer = await page.request.post(route, { headers: ownConnection, data: { email, password } });
  if (!answer.ok()) throw new Error(`${route}: ${answer.status()} ${await answer.text()}`);
  const { accessToken, user } = v.parse(LoginAnswer, await answer.json());
  const entries = {
    jwtTokenClockOffset: String(clockOffsetOf(accessToken, Date.now())),
    jwtToken: accessToken,
    "persist:root": JSON.stringify({ version: 1, user }),
  };
  await page.goto(new URL("/robots.txt", url).href);
  await page.evaluate((pairs) => {
    for (const [key, value] of pairs) localStorage.setItem(key, value);
  }, Object.entries(entries));
}

/**
 * The path of a page, or a function that prepares the test and returns the path. The session is in the page's profile
 * by then.
 */
export type PathOfPage = string | ((person: Person, page: Page) => string | Promise<string>);

/** Signs a new user in with `enter` and opens the page. */
export async function openSignedIn(page: Page, server: Pick<Parlance, "url" | "apiUrl">, path: PathOfPage): Promise<Person> {
  const person = await enter(page, server);
  await page.goto(new URL(typeof path === "string" ? path : await path(person, page), server.url).href);
  return person;
}
