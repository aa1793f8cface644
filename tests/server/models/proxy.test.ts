import { readFile } from "node:fs/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { sha256Of } from "#tests/fixtures/model-archive.ts";
import { startModelMirror } from "#tests/fixtures/model-mirror.ts";
import { startProxy } from "#tests/fixtures/proxy.ts";
import { clientWith, entryOf, openHarness, startMirror, tinyArchive } from "./harness.ts";

const id = "tiny";
const name = "tiny.tar.bz2";

/** Starts a server at https://secure.test, a name that only the proxy can resolve. */
async function startSecureMirror() {
  const folder = new URL("../../fixtures/tls/", import.meta.url);
  const [key, cert] = await Promise.all([readFile(new URL("key.pem", folder)), readFile(new URL("cert.pem", folder))]);
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, cert.toString()]);
  const mirror = await startModelMirror({ key, cert });
  onTestFinished(async () => {
    setDefaultCACertificates(trusted);
    await mirror.close();
  });
  return mirror;
}

async function openProxy(...given: Parameters<typeof startProxy>) {
  const proxy = await startProxy(...given);
  onTestFinished(() => proxy.close());
  return proxy;
}

const portOf = ({ url }: { url: string }) => Number(new URL(url).port);

/** State of an installation without a failure; a failed one shows its reason in the difference. */
const installed = { state: "installed", failure: null, detail: null };

async function pinned() {
  const bytes = await tinyArchive();
  const archive = { name, urls: [`https://secure.test/${name}`], bytes: bytes.length, sha256: sha256Of(bytes) };
  return { bytes, entry: entryOf(id, { archive }) };
}

describe("downloads through a proxy", () => {
  // PROMISE models: Downloads go through proxies and a mirror
  test.each([["HTTPS_PROXY"], ["HTTP_PROXY"], ["https_proxy"]])(
    "downloads and resumes a model through the proxy in %s, which alone resolves the address",
    async (variable) => {
      const { bytes, entry } = await pinned();
      const secure = await startSecureMirror();
      secure.put(name, bytes, { cutsAfter: 200_000 });
      const proxy = await openProxy({ "secure.test:443": portOf(secure) });
      const { install } = await openHarness([entry], undefined, { client: clientWith({ [variable]: proxy.url }) });
      expect(await install(id)).toMatchObject({ ...installed, host: "secure.test" });
      expect(new Set(proxy.asked)).toEqual(new Set(["CONNECT secure.test:443"]));
      expect(secure.requests[1]?.range).toMatch(/^bytes=[1-9]/);
    },
  );

  // PROMISE models: Downloads go through proxies and a mirror
  test("asks the configured mirror first, and the next address for missing files", async () => {
    const { bytes, entry } = await pinned();
    const [own, secure] = [await startMirror(), await startSecureMirror()];
    secure.put(name, bytes);
    const proxy = await openProxy({ "models.intern:80": portOf(own), "secure.test:443": portOf(secure) });
    const mirror = { ...own, url: "http://models.intern" };
    const client = clientWith({ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url });
    const { install } = await openHarness([entry], mirror, { client });
    expect(await install(id)).toMatchObject({ ...installed, host: "secure.test" });
    expect(proxy.asked).toEqual([`GET http://models.intern/${name}`, "CONNECT secure.test:443"]);
  });

  test("contacts hosts in NO_PROXY directly, except in a private network", async () => {
    const { bytes, entry } = await pinned();
    const own = await startMirror();
    own.put(name, bytes);
    const proxy = await openProxy({});
    const env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: "127.0.0.1, localhost" };
    const { install } = await openHarness([entry], own, { client: clientWith(env) });
    expect(await install(id)).toMatchObject({ ...installed, host: new URL(own.url).host });
    const client = clientWith(env);
    const opening = client.open("https://localhost/x", false, {}, new AbortController().signal);
    await expect(opening).rejects.toMatchObject({ failure: "gone", detail: expect.stringContaining("private network") });
    expect(proxy.asked).toEqual([]);
  });

  test("sends the proxy's password and reports the proxy's status when it is wrong", async () => {
    const { bytes, entry } = await pinned();
    const secure = await startSecureMirror();
    secure.put(name, bytes);
    const proxy = await openProxy({ "secure.test:443": portOf(secure) }, { credentials: "ada:lovelace" });
    const { install } = await openHarness([entry], undefined, { client: clientWith({ HTTPS_PROXY: proxy.url }) });
    expect(await install(id)).toMatchObject(installed);
    const stranger = clientWith({ HTTPS_PROXY: proxy.url.replace("lovelace", "wrong") });
    const other = await openHarness([entry], undefined, { client: stranger });
    expect(await other.install(id)).toMatchObject({ failure: "unreachable", detail: expect.stringContaining("407") });
  });

  test("fails without a direct request when the proxy is gone or its address is invalid", async () => {
    const { entry } = await pinned();
    const secure = await startSecureMirror();
    const gone = await openProxy({});
    await gone.close();
    for (const url of [gone.url, "http://:0x/"]) {
      const { install } = await openHarness([entry], undefined, { client: clientWith({ HTTPS_PROXY: url }) });
      expect(await install(id)).toMatchObject({ state: "failed", failure: "unreachable" });
    }
    expect(secure.requests).toEqual([]);
  });
});
