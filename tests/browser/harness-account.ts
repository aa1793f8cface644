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
 * Makes an account through the page's own form, and waits for the dashboard: for tests of just that. `enter` takes a quarter of the time.
 * @param url of the page ("http://localhost:5173")
 * @param search of the form's address ("?inspect")
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
 * Makes an account through the API and leaves its session in the page's profile as signing up leaves it: cookies and storage. Nothing of
 * the product is loaded; the page stands at a file of the server's, and goes from there to where the test begins.
 */
export async function enter(page: Page, { url, apiUrl }: Pick<Parlance, "url" | "apiUrl">): Promise<Person> {
  const person = newPerson();
  await keepSession(page, url, `${apiUrl}/auth/register`, person);
  return person;
}

/** The same for somebody who has an account. */
export async function enterAs(page: Page, { url, apiUrl }: Pick<Parlance, "url" | "apiUrl">, person: Person): Promise<void> {
  await keepSession(page, url, `${apiUrl}/auth/login`, person);
}

/** The same for the superuser that the server's first start makes. */
export async function enterAsSuperuser(page: Page, server: Pick<Parlance, "url" | "apiUrl" | "log">): Promise<Person> {
  const person = { email: "superuser@parlance.local", password: /password: (\S+)/.exec(server.log())?.[1] ?? "" };
  await enterAs(page, server, person);
  return person;
}

/**
 * For what a test itself asks of the server: a connection of its own. One that is kept may be closed by the server, after five seconds
 * without a request, at the very moment at which the next is sent on it. (A page's are tried again by the browser.)
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

/** A path of the page, or what is done before it is opened, with the session in the page's profile already, and gives the path. */
export type PathOfPage = string | ((person: Person, page: Page) => string | Promise<string>);

/** `enter`, and the page that the test is about. */
export async function openSignedIn(page: Page, server: Pick<Parlance, "url" | "apiUrl">, path: PathOfPage): Promise<Person> {
  const person = await enter(page, server);
  await page.goto(new URL(typeof path === "string" ? path : await path(person, page), server.url).href);
  return person;
}
