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
])("the route %s is reported as %s", (fullPath, pattern) => {
  expect(routePattern(fullPath)).toBe(pattern);
});

describe("parameters", () => {
  test("keep what is plain", () => {
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
  ])("never have %s in them", (_, text, left) => {
    expect(cleanParams({ text })).toEqual({ text: left });
  });

  test("are short, and plain values under plain names", () => {
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

  test.each(["", "1st", "with space", "a".repeat(41), "über", "a-b"])("an event can't be called “%s”", (name) => {
    expect(isEventName(name)).toBe(false);
  });
});

describe("a lookup's answer", () => {
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
  ])("is understood as %s spells it", (_, answer) => {
    expect(placeOf(answer)).toEqual({ country: "DE", region: "Land Berlin", city: "Berlin" });
  });

  test("may lack the city, and have figures or nothing where a text is expected", () => {
    expect(placeOf({ country: "DE", city: null, region: 7 })).toEqual({ country: "DE", region: "", city: "" });
  });

  test.each([
    [{ error: true, reason: "RateLimited" }],
    [{ success: false, message: "Reserved range" }],
    [{}],
    ["DE"],
    [null],
    [[]],
  ])("%j has no place in it", (answer) => {
    expect(() => placeOf(answer)).toThrow();
  });
});

describe("the data layer", () => {
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

  test("has commands as gtag.js takes them: `arguments`, not arrays", () => {
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

  test("never has the address, with its ids and query", () => {
    const { layer, pushed, go } = layerOf();
    layer.begin();
    go("/transcription/$id");
    layer.send("session_heartbeat", { seconds: 30 });
    const all = JSON.stringify(listed(pushed()));
    expect(all).toContain("https://parlance.example.org/transcription/$id");
    expect(all).not.toMatch(/0f8fad5b|x=1|#y/);
  });

  test("keeps what somebody else has put there, and hears of withdrawal and of a new agreement", () => {
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

  test("names no id to a tag that has none", () => {
    const { layer, pushed } = layerOf("https://stats.example.org/script.js");
    layer.begin();
    expect(listed(pushed()).map(([command]) => command)).toEqual(["consent", "js", "set"]);
  });
});

describe("what the browser keeps", () => {
  const storeOf = (origin: FakeOrigin, ...recipients: string[]) =>
    createConsentStore(recipients, createStorage(origin.openTab()));

  test("a choice holds for those that it was said to; a refusal for everybody", () => {
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

  test("a session is gone with a refusal, and nonsense is none", () => {
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

  test("a full storage changes nothing", () => {
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
])("a browser that says %j asks not to be followed: %s", (browser, asks) => {
  expect(asksNotToBeFollowed(browser)).toBe(asks);
});

test("a depth is how much has been in sight", () => {
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
  "whether the address with %s and %s opens something, so that no script of others is loaded there: %s",
  (search, hash, opens) => {
    expect(opensSomething({ search, hash })).toBe(opens);
  },
);
