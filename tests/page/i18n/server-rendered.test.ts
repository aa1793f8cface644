import { readFile } from "node:fs/promises";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { interfaceLanguages, nearestInterfaceLanguage } from "#contract/interface-languages.ts";

const html = await readFile(new URL("../../../index.html", import.meta.url), "utf8");
const [, script = ""] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? [];

interface Opened {
  /** The page and language of the HTML; undefined: an index.html that renders itself. */
  rendered?: { page: string; lang: string };
  path?: string;
  search?: string;
  cookie?: string;
  stored?: Record<string, string>;
  /** The browser's languages. */
  wanted?: readonly string[];
}

/** The attributes that the script in index.html sets. */
function open({ rendered, path = "/", search = "", cookie = "", stored = {}, wanted = ["en"] }: Opened): string[] {
  const attributes = new Set<string>();
  const documentElement = {
    lang: rendered?.lang ?? "en",
    dataset: rendered === undefined ? {} : { page: rendered.page },
    toggleAttribute: (name: string, on: boolean) => (on ? attributes.add(name) : attributes.delete(name)),
  };
  runInNewContext(script, {
    URLSearchParams,
    addEventListener: () => {},
    document: { documentElement, cookie },
    location: { pathname: path, search },
    localStorage: { getItem: (key: string) => stored[key] ?? null },
    navigator: { languages: wanted },
  });
  return [...attributes];
}

const english = { page: "/", lang: "en" };

test("hides server-rendered HTML from users for whom it is wrong", () => {
  expect(open({})).toEqual([]);
  expect(open({ rendered: english })).toEqual([]);
  expect(open({ rendered: english, path: "/about" })).toEqual(["data-held"]);
  expect(open({ rendered: english, wanted: ["de-AT"] })).toEqual(["data-held"]);
  expect(open({ rendered: english, wanted: ["de-AT"], stored: { i18nextLng: "en" } })).toEqual([]);
  expect(open({ rendered: english, cookie: "a=b; i18next=fr", stored: { i18nextLng: "en" } })).toEqual(["data-held"]);
  expect(open({ rendered: english, search: "?lng=en", cookie: "i18next=fr" })).toEqual([]);
  expect(open({ rendered: english, stored: { tryOut: "1" } })).toEqual(["data-held"]);
  expect(open({ rendered: english, stored: { jwtToken: "x", tryOut: "1" } })).toEqual(["data-signed-in"]);
  const signIn = { page: "/signin", lang: "en" };
  expect(open({ rendered: signIn, path: "/signin" })).toEqual([]);
  expect(open({ rendered: signIn, path: "/signin", stored: { jwtToken: "x" } })).toEqual(["data-signed-in", "data-held"]);
  const plan = "?plan=premium&interval=year";
  expect(open({ rendered: { page: "/signup", lang: "en" }, path: "/signup", search: plan })).toEqual(["data-held"]);
  const signUp = { page: `/signup${plan}`, lang: "en" };
  expect(open({ rendered: signUp, path: "/signup", search: `${plan}&lng=en` })).toEqual([]);
  expect(open({ rendered: signUp, path: "/signup" })).toEqual(["data-held"]);
});

test("finds the same language in index.html's script as in the page", () => {
  const odd = ["de-CH", "de_AT", "DE", "pt", "PT-pt", "en-GB", "ja", "dan", "esperanto", "de.utf8", "cimode", ""];
  for (const wanted of [...interfaceLanguages.map(({ code }) => code), ...odd]) {
    const lang = nearestInterfaceLanguage([wanted, "nl"]);
    const rendered = { page: "/", lang };
    expect([wanted, open({ rendered, wanted: [wanted, "nl"] })]).toEqual([wanted, []]);
    expect([wanted, open({ rendered, search: `?lng=${wanted}`, wanted: ["nl"] })]).toEqual([wanted, []]);
    expect([wanted, open({ rendered, cookie: `i18next=${wanted}`, wanted: ["nl"] })]).toEqual([wanted, []]);
    expect([wanted, open({ rendered, stored: { i18nextLng: wanted }, wanted: ["nl"] })]).toEqual([wanted, []]);
  }
});
