import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { nearestInterfaceLanguage } from "#contract/interface-languages.ts";
import { i18n, loadTexts, startI18n } from "#src/i18n/index.ts";

/** The files that the server has; every other request gets 503. */
const files: Record<string, object> = { "/locales/en/translation.json": { loading: "Loading…" } };
const asked: { url: string; at: number; method: string | undefined }[] = [];
const page = { documentElement: { lang: "" }, cookie: "" };
const stored = new Map<string, string>();
const askedFor = (url: string) => asked.filter((request) => request.url === url).map(({ at }) => at);

// i18next is a singleton of the page, so the whole file has one start.
beforeAll(() => {
  vi.useFakeTimers({ now: 0 });
  vi.stubGlobal("location", { hostname: "parlance.example", search: "", pathname: "/" });
  vi.stubGlobal("navigator", { languages: ["de-AT"], language: "de-AT" });
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    asked.push({ url, at: Date.now(), method: init?.method });
    const file = files[url];
    return file === undefined ? new Response("", { status: 503 }) : Response.json(file);
  });
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Tells whether the promise has settled. */
function watch(promise: Promise<unknown>): { done: boolean } {
  const watched = { done: false };
  void promise.then(() => {
    watched.done = true;
  });
  return watched;
}

test("shows the fallback language when the page's language can't be loaded", async () => {
  const started = watch(startI18n());
  await pass(60_000);
  expect(started.done).toBe(true);
  expect([i18n.t("loading"), page.documentElement.lang]).toEqual(["Loading…", "en"]);
});

// SPEC 7 Languages and health: "Loading retries up to 5 times with the delay doubling from 350 ms"
test("requests a file five more times, with delays doubling from 350 ms", () => {
  const [first = Number.NaN, ...more] = askedFor("/locales/de/translation.json");
  expect(more.map((at) => at - first)).toEqual([350, 1050, 2450, 5250, 10_850]);
});

test("reads a missing namespace in the fallback language after five more attempts", async () => {
  files["/locales/en/app.json"] = { hello: "Hello" };
  const loaded = watch(loadTexts("app"));
  await pass(60_000);
  expect(loaded.done).toBe(true);
  expect(i18n.t("app:hello")).toBe("Hello");
  expect(askedFor("/locales/de/app.json")).toHaveLength(6);
});

test("a missing or invalid locale file is not loaded again", async () => {
  const busy = fetch;
  const urls: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    urls.push(url);
    return url.startsWith("/locales/en/") ? new Response("<h1>Welcome</h1>") : new Response("", { status: 404 });
  });
  const loaded = watch(loadTexts("vault"));
  await pass(60_000);
  expect(loaded.done).toBe(true);
  expect(urls.filter((url) => url.endsWith("/vault.json"))).toEqual(["/locales/de/vault.json", "/locales/en/vault.json"]);
  vi.stubGlobal("fetch", busy);
});

// SPEC 4 Other: "in a cookie for 160 minutes, with the cookie set on the current host name"
test("stores the choice in the local storage and in a host cookie for 160 minutes", () => {
  expect(stored.get("i18nextLng")).toBe("de");
  const attributes = page.cookie.split("; ");
  expect(attributes).toEqual(expect.arrayContaining(["i18next=de", "Domain=parlance.example", "Path=/"]));
  // The test's clock starts at the first second of 1970.
  expect(attributes).toContain("Expires=Thu, 01 Jan 1970 02:40:00 GMT");
});

// SPEC 7 Languages and health: "Missing-key saving is off."
test("missing translation keys are not sent to the server", () => {
  expect(i18n.t("no.such.key")).toBe("no.such.key");
  expect(asked.filter(({ method = "GET" }) => method !== "GET")).toEqual([]);
});

// SPEC 7 Languages and health: "up to 10 reads run in parallel"
test("at most ten locale files are loaded at once", async () => {
  const answers: (() => void)[] = [];
  vi.stubGlobal("fetch", () => new Promise((resolve) => answers.push(() => resolve(Response.json({})))));
  void i18n.loadNamespaces(Array.from({ length: 12 }, (_, index) => `ns${index}`));
  await pass(10);
  expect(answers).toHaveLength(10);
  answers[0]?.();
  await pass(10);
  expect(answers).toHaveLength(11);
});

// SPEC 4 Other: "The fallback language is en."
describe("nearest interface language", () => {
  test.each([
    ["pt-BR", "pt-BR"],
    ["pt-PT", "pt-BR"],
    ["PT", "pt-BR"],
    ["de-AT", "de"],
    ["de_AT", "de"],
    ["en-GB", "en"],
    ["ja", "en"],
    ["", "en"],
  ])("the interface language nearest to %j is %s", (detected, nearest) => {
    expect(nearestInterfaceLanguage([detected])).toBe(nearest);
  });
});

// SPEC 4 Other: "detection order is the query parameter lng, then cookie, then local storage, then browser language"
describe("unavailable language", () => {
  const detected = (search: string, { cookie = "", keep = "", languages = ["en"] } = {}) => {
    stored.clear();
    if (keep !== "") stored.set("i18nextLng", keep);
    page.cookie = cookie;
    vi.stubGlobal("location", { hostname: "parlance.example", search, pathname: "/" });
    vi.stubGlobal("navigator", { languages, language: languages[0] });
    return i18n.services.languageDetector?.detect();
  };

  test("an unavailable language falls through from the address to cookie, storage and browser", () => {
    const all = { cookie: "a=b; i18next=fr", keep: "nl", languages: ["da"] };
    expect(detected("?lng=de", all)).toBe("de");
    expect(detected("?lng=xx", all)).toBe("fr");
    expect(detected("?lng=xx", { ...all, cookie: "i18next=xx" })).toBe("nl");
    expect(detected("?lng=xx", { ...all, cookie: "i18next=xx", keep: "klingon" })).toBe("da");
    expect(detected("?lng=xx", { languages: ["xx", "de-CH", "fr"] })).toBe("de");
    expect(detected("?lng=xx", { languages: ["xx"] })).toBe("en");
  });

  test.each([
    ["?lng=de-AT", "de"],
    ["?lng=DE", "de"],
    ["?lng=PT", "pt-BR"],
    ["?lng=pt", "pt-BR"],
    ["?lng=pt-PT", "pt-BR"],
    ["?lng=%64e", "de"],
    ["?lng=", "da"],
    ["?lng", "da"],
    // An i18next mode that shows keys instead of texts.
    ["?lng=cimode", "da"],
    ["?lng=<b>", "da"],
    ["?lng=xx&lng=de", "de"],
    ["?lng=fr&lng=de", "fr"],
  ])("the query %j gives the language %s", (search, language) => {
    expect(detected(search, { cookie: "i18next=da" })).toBe(language);
  });
});
