import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  bytes,
  clock,
  date,
  dateTime,
  inTime,
  languageName,
  percent,
  regional,
  roughDuration,
  timeOfDay,
} from "#src/i18n/format.ts";

/** Replaces no-break spaces: Intl's spaces differ between versions. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

beforeEach(() => {
  vi.stubEnv("TZ", "UTC");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([
  [0, "0:00"],
  [0.99, "0:00"],
  [7, "0:07"],
  [59.999, "0:59"],
  [60, "1:00"],
  [754, "12:34"],
  [3599, "59:59"],
  [3600, "1:00:00"],
  [3723, "1:02:03"],
  [36_000, "10:00:00"],
  [100 * 3600, "100:00:00"],
  [-5, "0:00"],
  [Number.NaN, "0:00"],
  [Number.POSITIVE_INFINITY, "0:00"],
])("formats %d seconds on a clock as %s", (seconds, shown) => {
  expect(clock(seconds)).toBe(shown);
});

test.each([
  [0, "0 byte"],
  [999, "999 byte"],
  [1000, "1 kB"],
  [1500, "1.5 kB"],
  [1_000_000, "1 MB"],
  [2_149_000, "2.1 MB"],
  [2_000_000_000, "2 GB"],
  [3_500_000_000_000, "3,500 GB"],
])("formats %d bytes as %s", (count, shown) => {
  expect(plain(bytes(count, "en"))).toBe(shown);
});

test("formats bytes with the language's decimal mark", () => {
  expect(plain(bytes(1500, "de"))).toBe("1,5 kB");
});

test.each([
  [0, "1 sec"],
  [40.4, "40 sec"],
  [89, "89 sec"],
  [90, "2 min"],
  [149, "2 min"],
  [150, "3 min"],
  [7200, "120 min"],
])("formats about %d seconds as %s", (seconds, shown) => {
  expect(plain(roughDuration(seconds, "en"))).toBe(shown);
});

test.each([
  [0, "en", "in 1 second"],
  [59.2, "en", "in 60 seconds"],
  [91, "en", "in 2 minutes"],
  [900, "de", "in 15 Minuten"],
  [3600, "fr", "dans 60 minutes"],
])("formats %d seconds from now in %s: %s", (seconds, locale, shown) => {
  expect(plain(inTime(seconds, locale))).toBe(shown);
});

test("formats a fraction as a percentage in the language's style", () => {
  expect([0, 0.424, 1].map((share) => percent(share, "en"))).toEqual(["0%", "42%", "100%"]);
  expect(plain(percent(0.5, "de"))).toBe("50 %");
});

describe("names of languages", () => {
  test("names of languages are in the interface's language", () => {
    expect(languageName("es-ES", "en")).toBe("Spanish (Spain)");
    expect(languageName("es-ES", "de")).toBe("Spanisch (Spanien)");
    expect(languageName("es-ES", "en")).toBe("Spanish (Spain)");
  });

  test.each(["auto!", "", "x"])("names of languages fall back to the code for the unknown language %j", (code) => {
    expect(languageName(code, "en")).toBe(code);
  });
});

describe("formatted dates", () => {
  test("formatted dates follow the browser's region", () => {
    expect(regional("en", ["de-DE", "en-GB", "en-US"])).toBe("en-GB");
    expect(regional("pt-BR", ["pt-PT", "pt-BR"])).toBe("pt-BR");
    expect(regional("en", ["de"])).toBe("en");
    // "nl" must not match "nld", a longer code with the same beginning.
    expect(regional("nl", ["nld", "nl-BE"])).toBe("nl-BE");
  });

  test("formatted dates have a date and a time, and are empty for an invalid date", () => {
    vi.stubGlobal("navigator", { languages: ["de-DE"] });
    expect(plain(dateTime("2026-11-20T14:05:00.000Z", "de"))).toBe("20.11.2026, 14:05");
    expect(plain(timeOfDay(Date.UTC(2026, 10, 20, 4, 5), "de"))).toBe("04:05");
    expect(dateTime("soon", "de")).toBe("");
    expect(dateTime("", "de")).toBe("");
    vi.unstubAllGlobals();
  });
});

test('formatted dates write the first of a month as "1er" in French only', () => {
  expect(date("2026-12-01T12:00:00Z", "fr")).toBe("1er décembre 2026");
  expect(dateTime("2026-12-01T12:00:00Z", "fr")).toMatch(/^1er déc\. 2026/);
  expect(date("2026-12-21T12:00:00Z", "fr")).toBe("21 décembre 2026");
  expect(date("2026-12-01T12:00:00Z", "de")).toBe("1. Dezember 2026");
});

test('formatted dates write the first of a month as "1º" in Brazilian Portuguese only', () => {
  expect(date("2026-12-01T12:00:00Z", "pt-BR")).toBe("1º de dezembro de 2026");
  expect(dateTime("2026-12-01T12:00:00Z", "pt-BR")).toMatch(/^1º de dez\. de 2026/);
  expect(date("2026-12-11T12:00:00Z", "pt-BR")).toBe("11 de dezembro de 2026");
  expect(date("2026-12-01T12:00:00Z", "es")).toBe("1 de diciembre de 2026");
  expect(date("2026-12-01T12:00:00Z", "da")).toBe("1. december 2026");
});
