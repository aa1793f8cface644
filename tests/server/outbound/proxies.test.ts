import { describe, expect, onTestFinished, test } from "vitest";
import { hostAndPort } from "#server/outbound/address.ts";
import { type Proxies, proxiesOf } from "#server/outbound/proxies.ts";
import { send } from "#server/outbound/request.ts";
import { startProxy } from "#tests/fixtures/proxy.ts";

/**
 * Requests an address whose name only the proxy can resolve.
 * @param allowed hosts and ports that may be in a private network
 */
function askedWith(proxies: Proxies, address: string, allowed: ReadonlySet<string>) {
  const resolve = () => Promise.reject(new Error("no such name"));
  const policy = { allowed, resolve, proxies, times: { connectMs: 1_000, idleMs: 1_000 } };
  return send(address, policy, { headers: {} }, AbortSignal.timeout(5_000)).then(({ body }) => void body.destroy());
}

async function openProxy() {
  const proxy = await startProxy({});
  onTestFinished(() => proxy.close());
  return proxy;
}

test("prefers lowercase variables and accepts a proxy without http://", () => {
  const [http, https] = ["http://plain.proxy:3128", "http://secure.proxy:3128"];
  expect(proxiesOf({ HTTP_PROXY: http, HTTPS_PROXY: https })).toEqual({ httpProxy: http, httpsProxy: https, noProxy: "" });
  expect(proxiesOf({ HTTP_PROXY: http, http_proxy: "lower.proxy:1" }).httpProxy).toBe("http://lower.proxy:1");
  expect(proxiesOf({ HTTP_PROXY: " " }).httpProxy).toBe("");
  expect(() => proxiesOf({ HTTPS_PROXY: "http://:0x/" })).toThrow("is not a valid address");
});

test("refuses a private IP address without asking the proxy", async () => {
  const proxy = await openProxy();
  const asking = askedWith(proxiesOf({ HTTPS_PROXY: proxy.url }), "https://10.0.0.1/", new Set());
  await expect(asking).rejects.toMatchObject({ code: "urlRefused" });
  expect(proxy.asked).toEqual([]);
});

describe("choice of the proxy", () => {
  test.each([
    ["HTTP_PROXY", "", "http://a.test", true],
    ["HTTP_PROXY", "", "https://a.test", true],
    ["HTTPS_PROXY", "", "https://a.test", true],
    ["HTTPS_PROXY", "", "http://a.test", false],
    ["HTTP_PROXY", "*", "https://any.test", false],
    ["HTTP_PROXY", "a.test", "https://a.test", false],
    ["HTTP_PROXY", "a.test", "https://b.a.test", false],
    ["HTTP_PROXY", ".a.test", "https://a.test", false],
    ["HTTP_PROXY", "*.a.test", "https://a.test", true],
    ["HTTP_PROXY", "*.a.test", "https://B.A.test.", false],
    ["HTTP_PROXY", "a.test", "https://nota.test", true],
    ["HTTP_PROXY", "x.test a.test:8443", "https://a.test", true],
    ["HTTP_PROXY", "x.test,a.test:443", "https://a.test", false],
    ["HTTP_PROXY", "a.test:80", "http://a.test", false],
    ["HTTP_PROXY", "::1", "http://[::1]:1/", false],
    ["HTTP_PROXY", "[::1]:1", "http://[::1]:1/", false],
    ["HTTP_PROXY", "127.0.0.1", "https://127.0.0.1:1", false],
  ])("with %s and NO_PROXY %j the request to %s uses the proxy: %s", async (variable, noProxy, address, isProxied) => {
    const proxy = await openProxy();
    const proxies = proxiesOf({ [variable]: proxy.url, NO_PROXY: noProxy });
    await askedWith(proxies, address, new Set([hostAndPort(new URL(address))])).catch(() => undefined);
    expect(proxy.asked.length > 0).toBe(isProxied);
  });
});
