import { expect, test } from "vitest";
import { deviceOf } from "#src/features/settings/device.ts";

const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const android = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)";
const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";

test.each([
  ["Chrome", "Windows", windows],
  ["Edge", "Windows", `${windows} Edg/142.0.0.0`],
  ["Opera", "Windows", `${windows} OPR/120.0.0.0`],
  ["Vivaldi", "Windows", `${windows} Vivaldi/7.6`],
  ["Chrome", "Android", `${android} Chrome/142.0.0.0 Mobile Safari/537.36`],
  ["Samsung Internet", "Android", `${android} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`],
  ["Firefox", "Android", "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0"],
  ["Firefox", "Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"],
  ["Chrome", "Linux", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/142.0.0.0 Safari/537.36"],
  ["Chrome", "ChromeOS", "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36"],
  ["Safari", "macOS", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15"],
  ["Safari", "iPhone", `${iPhone} Version/18.5 Mobile/15E148 Safari/604.1`],
  ["Chrome", "iPhone", `${iPhone} CriOS/142.0.0.0 Mobile/15E148 Safari/604.1`],
  ["Firefox", "iPhone", `${iPhone} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`],
  ["Edge", "iPad", "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) Version/18.0 EdgiOS/142.0 Mobile/15E148 Safari/605.1.15"],
])("the list of devices shows %s on %s", (browser, system, userAgent) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system });
});

test.each([null, "", "node", "curl/8.15.0"])("the list of devices has no name for the unknown %s", (userAgent) => {
  expect(deviceOf(userAgent)).toEqual({});
});

test("names the browser or the system if only one is known", () => {
  expect(deviceOf("Firefox/145.0")).toEqual({ browser: "Firefox" });
  expect(deviceOf("SomeApp/1.0 (Windows NT 10.0)")).toEqual({ system: "Windows" });
});
