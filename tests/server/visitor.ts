import * as v from "valibot";
import { FederatedMessage } from "#contract/index.ts";

/** A headless browser: keeps cookies, follows redirects, and fills in the provider's two forms. */
export interface Visitor {
  get(url: string | URL): Promise<Response>;
  /** Sends JSON. */
  post(url: string | URL, body: unknown): Promise<Response>;
  /**
   * Starts a federated sign-in.
   * @param tamper changes the provider's URL before the visit
   * @returns the callback URL to which the provider redirects
   */
  signInAtProvider(start: string, login: string, tamper?: (url: URL) => void): Promise<URL>;
  cookies: Map<string, string>;
}

/** @param address the visitor's apparent address, for a server behind a proxy */
export function openVisitor(address?: string): Visitor {
  const cookies = new Map<string, string>();
  const ask = async (url: string | URL, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (address !== undefined) headers.set("X-Forwarded-For", address);
    headers.set("Cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const answer = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) keep(cookies, line);
    return answer;
  };
  return {
    cookies,
    get: (url) => ask(url),
    post: (url, body) =>
      ask(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    signInAtProvider: async (start, login, tamper = () => {}) => {
      let url = locationOf(await ask(start), start);
      tamper(url);
      for (let steps = 0; steps < 20; steps++) {
        if (/^\/auth\/(google|providers\/\w+)\/callback$/.test(url.pathname)) return url;
        let answer = await ask(url);
        if (answer.status === 200) answer = await fillIn(await answer.text(), login, ask);
        url = locationOf(answer, url);
      }
      throw new Error(`the provider leads nowhere: ${url}`);
    },
  };
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split("; ");
  const [name = "", value = ""] = pair.split(/=(.*)/s);
  const gone = attributes.some(
    (text) => /^max-age=0$/i.test(text) || Date.parse(/^expires=(.*)/i.exec(text)?.[1] ?? "") < Date.now(),
  );
  if (gone) cookies.delete(name);
  else cookies.set(name, value);
}

function locationOf(answer: Response, base: string | URL): URL {
  const location = answer.headers.get("Location");
  if (location === null) throw new Error(`${base} answered ${answer.status} and leads nowhere`);
  return new URL(location, base);
}

function fillIn(html: string, login: string, ask: (url: string, init: RequestInit) => Promise<Response>): Promise<Response> {
  if (login === "") return ask(attributeOf(html, /<a href="([^"]+\/abort)"/), {});
  const prompt = attributeOf(html, /name="prompt" value="(\w+)"/);
  const body = new URLSearchParams(prompt === "login" ? { prompt, login, password: "x" } : { prompt });
  return ask(attributeOf(html, /<form autocomplete="off" action="([^"]+)"/), { method: "POST", body });
}

function attributeOf(html: string, pattern: RegExp): string {
  const value = pattern.exec(html)?.[1];
  if (value === undefined) throw new Error(`${pattern} is not in ${html.slice(0, 3000)}`);
  return value
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");
}

/** The message of the popup's callback page, its target origin, and the fallback URL. */
export async function windowAnswer(answer: Response) {
  const html = await answer.text();
  return {
    message: v.parse(FederatedMessage, JSON.parse(attributeOf(html, /data-message="([^"]+)"/))),
    page: attributeOf(html, /data-page="([^"]+)"/),
    there: new URL(attributeOf(html, /data-fallback-url="([^"]+)"/)),
    script: attributeOf(html, /<script>([\s\S]+)<\/script>/),
    policy: answer.headers.get("Content-Security-Policy") ?? "",
  };
}
