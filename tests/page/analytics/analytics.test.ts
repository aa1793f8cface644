import "./fake-window.ts";
import { describe, expect, test } from "vitest";
import { createStorage } from "#src/browser/storage.ts";
import { asksNotToBeFollowed, createConsentStore } from "#src/features/analytics/consent.ts";
import { type LayerPage, openDataLayer } from "#src/features/analytics/data-layer.ts";
import { cleanParams, isEventName, placeOf, routePattern } from "#src/features/analytics/events.ts";
import { opensSomething } from "#src/features/analytics/tag.ts";
import { depthOf } from "#src/features/analytics/watch.ts";
import { FakeOrigin } from "./fake-window.ts";

test.each([
  ["/", "/"],
  ["/blog/", "/blog"],
  ["/transcription/$id", "/transcription/$id"],
  ["/blog/$slug", "/blog/$slug"],
  ["/$", "/$"],
  ["", "/"],
])("analytics reports the route %s as %s", (fullPath, pattern) => {
  expect(routePattern(fullPath)).toBe(pattern);
});

describe("event parameters", () => {
  test("analytics events keep plain values of their parameters", () => {
    const plain = {
      page_path: "/transcription/$id",
      percent_scrolled: 75,
      works: true,
      city: "São Paulo",
      parlance_session: "a1b2c3",
    };
    expect(cleanParams(plain)).toEqual(plain);
    const longest = { page_path: "/encrypted-audio/$transcriptionId" };
    expect(cleanParams(longest)).toEqual(longest);
  });

  test.each([
    ["an e-mail address", "write to ada.lovelace+x@example.org now", "write to ••• now"],
    ["a token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl", "•••"],
    ["an id", "/transcription/0f8fad5b-d9cb-469f-a165-70867728950e", "/transcription/•••"],
    ["a key", "sk_live_51H8abcdEFGH1234", "•••"],
    ["a query string", "/speech-to-text?search=secret&page=2", "/speech-to-text"],
    ["what stands behind a hash", "/auth/reset-password#token=abc", "/auth/reset-password"],
  ])("analytics events never contain %s", (_, text, left) => {
    expect(cleanParams({ text })).toEqual({ text: left });
  });

  test("event parameters are limited to short, plain values under plain names", () => {
    expect(cleanParams({ text: "word ".repeat(100) }).text).toHaveLength(100);
    const odd = {
      list: [1],
      nested: { a: 1 },
      none: null,
      missing: undefined,
      infinite: Number.NaN,
      "bad name": 1,
      "1st": 1,
      ok: 1,
    };
    expect(cleanParams(odd)).toEqual({ ok: 1 });
  });

  test.each(["", "1st", "with space", "a".repeat(41), "über", "a-b"])("rejects the analytics event name “%s”", (name) => {
    expect(isEventName(name)).toBe(false);
  });
});

describe("answer to a place lookup", () => {
  // SPEC 7 Third-party: "A geolocation lookup runs at session start."
  test.each([
    ["ipapi.co", { ip: "1.2.3.4", city: "Berlin", region: "Land Berlin", country: "DE", country_name: "Germany" }],
    ["ipwho.is", { success: true, country: "Germany", country_code: "DE", region: "Land Berlin", city: "Berlin" }],
    ["geojs", { country: "Germany", country_code: "DE", country_code3: "DEU", region: "Land Berlin", city: "Berlin" }],
    [
      "ip-api",
      { status: "success", country: "Germany", countryCode: "DE", region: "BE", regionName: "Land Berlin", city: "Berlin" },
    ],
    ["freegeoip", { country_code: "DE", country_name: "Germany", region_code: "BE", region_name: "Land Berlin", city: "Berlin" }],
    ["db-ip", { countryCode: "DE", countryName: "Germany", stateProv: "Land Berlin", city: "Berlin" }],
  ])("accepts every spelling of consent in %s", (_, answer) => {
    expect(placeOf(answer)).toEqual({ country: "DE", region: "Land Berlin", city: "Berlin" });
  });

  test("accepts a missing city, and numbers or null instead of texts", () => {
    expect(placeOf({ country: "DE", city: null, region: 7 })).toEqual({ country: "DE", region: "", city: "" });
  });

  test.each([
    [{ error: true, reason: "RateLimited" }],
    [{ success: false, message: "Reserved range" }],
    [{}],
    ["DE"],
    [null],
    [[]],
  ])("rejects the location answer %j, which has no place", (answer) => {
    expect(() => placeOf(answer)).toThrow();
  });
});

describe("analytics data layer", () => {
  const tagAt = "https://www.googletagmanager.com/gtag/js?id=G-ABC";
  function layerOf(tag = tagAt, before?: unknown[]) {
    let path = "/dashboard";
    const page: LayerPage = {
      location: new URL("https://parlance.example.org/transcription/0f8fad5b?x=1#y"),
      ...(before && { dataLayer: before }),
    };
    const layer = openDataLayer(tag, () => path, page);
    const go = (to: string) => {
      path = to;
    };
    return { layer, page, go, pushed: () => page.dataLayer ?? [] };
  }
  const listed = (pushed: readonly unknown[]): unknown[][] =>
    pushed.map((one) => (typeof one === "object" && one !== null ? Object.values(one) : [one]));

  test("the data layer receives commands as gtag.js takes them: `arguments`, not arrays", () => {
    const { layer, pushed } = layerOf();
    layer.begin();
    layer.send("page_view", { page_path: "/dashboard" });
    expect(pushed().map((one) => Object.prototype.toString.call(one))).toEqual(pushed().map(() => "[object Arguments]"));
    const commands = listed(pushed());
    expect(commands.map(([command]) => command)).toEqual(["consent", "js", "set", "config", "set", "event"]);
    expect(commands[1]?.[1]).toBeInstanceOf(Date);
    expect(commands[3]?.slice(1)).toEqual([
      "G-ABC",
      { send_page_view: false, allow_google_signals: false, allow_ad_personalization_signals: false },
    ]);
    expect(commands[5]?.slice(1)).toEqual([
      "page_view",
      {
        page_location: "https://parlance.example.org/dashboard",
        page_path: "/dashboard",
        page_title: "/dashboard",
        page_referrer: "",
      },
    ]);
  });

  test("the data layer never contains the address with its ids and query", () => {
    const { layer, pushed, go } = layerOf();
    layer.begin();
    go("/transcription/$id");
    layer.send("session_heartbeat", { seconds: 30 });
    const all = JSON.stringify(listed(pushed()));
    expect(all).toContain("https://parlance.example.org/transcription/$id");
    expect(all).not.toMatch(/0f8fad5b|x=1|#y/);
  });

  test("the data layer keeps foreign entries, and records withdrawal and new consent", () => {
    const { layer, page, pushed } = layerOf(tagAt, ["before"]);
    layer.begin();
    expect(pushed()[0]).toBe("before");
    expect(Reflect.get(page, "ga-disable-G-ABC")).toBe(false);
    layer.end();
    expect(Reflect.get(page, "ga-disable-G-ABC")).toBe(true);
    expect(listed(pushed()).at(-1)).toEqual(["consent", "update", { analytics_storage: "denied" }]);
    const count = pushed().length;
    layer.begin();
    expect(listed(pushed().slice(count))).toEqual([["consent", "update", { analytics_storage: "granted" }]]);
  });

  test("the analytics loader omits the id for a tag without one", () => {
    const { layer, pushed } = layerOf("https://stats.example.org/script.js");
    layer.begin();
    expect(listed(pushed()).map(([command]) => command)).toEqual(["consent", "js", "set"]);
  });
});

describe("analytics storage in the browser", () => {
  const storeOf = (origin: FakeOrigin, ...recipients: string[]) =>
    createConsentStore(recipients, createStorage(origin.openTab()));

  test("limits consent to the named services, and a refusal to none", () => {
    const origin = new FakeOrigin();
    expect(storeOf(origin, "stats.example.org").choice()).toBeNull();
    storeOf(origin, "stats.example.org").persistChoice("agreed");
    expect(storeOf(origin, "stats.example.org").choice()).toBe("agreed");
    expect(storeOf(origin, "www.googletagmanager.com").choice()).toBeNull();
    expect(storeOf(origin, "stats.example.org", "get.geojs.io").choice()).toBeNull();
    storeOf(origin, "stats.example.org").persistChoice("refused");
    expect(storeOf(origin, "www.googletagmanager.com").choice()).toBe("refused");
    storeOf(origin).persistChoice(null);
    expect([...origin.items]).toEqual([]);
  });

  test("deletes the session with a refusal, and rejects nonsense", () => {
    const origin = new FakeOrigin();
    const store = storeOf(origin, "stats.example.org");
    const session = { id: "a1b2c3", startedAt: 1, seenAt: 2 };
    store.persistSession(session);
    expect(store.session()).toEqual(session);
    store.persistChoice("refused");
    expect(store.session()).toBeNull();
    for (const nonsense of ["", "{", "7", '{"id":"ada@example.org","startedAt":1,"seenAt":2}', '{"id":"x"}']) {
      origin.items.set("analyticsSession", nonsense);
      expect(store.session()).toBeNull();
    }
  });

  test("analytics works unchanged when the storage is full", () => {
    const origin = new FakeOrigin();
    origin.full = true;
    const store = storeOf(origin, "stats.example.org");
    store.persistChoice("agreed");
    store.persistSession({ id: "a", startedAt: 1, seenAt: 1 });
    expect([store.choice(), store.session()]).toEqual([null, null]);
  });
});

test.each([
  [{ globalPrivacyControl: true }, true],
  [{ doNotTrack: "1" }, true],
  [{ doNotTrack: "yes" }, true],
  [{ globalPrivacyControl: false, doNotTrack: "0" }, false],
  [{ doNotTrack: null }, false],
  [{ doNotTrack: "unspecified" }, false],
  [{}, false],
])("reads from %j whether the browser asks not to be tracked: %s", (browser, asks) => {
  expect(asksNotToBeFollowed(browser)).toBe(asks);
});

test("measures scroll depth as the visible part of the page", () => {
  expect(depthOf({ scrollTop: 0, clientHeight: 500, scrollHeight: 2000 })).toBe(25);
  expect(depthOf({ scrollTop: 1500, clientHeight: 500, scrollHeight: 2000 })).toBe(100);
  expect(depthOf({ scrollTop: 0, clientHeight: 0, scrollHeight: 0 })).toBe(0);
});

test.each([
  ["?token=abc", "", true],
  ["?a=b&token=abc", "", true],
  ["", "#token=abc", true],
  ["", `#0123456789abcdef.${"x".repeat(43)}`, true],
  ["", "#features", false],
  ["?lng=de", "", false],
])(
  "decides whether an address with %s and %s contains a secret, so that no foreign script is loaded: %s",
  (search, hash, opens) => {
    expect(opensSomething({ search, hash })).toBe(opens);
  },
);
