import { readFile } from "node:fs/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { refusal } from "#tests/server/harness.ts";
import { leadingTo, openMedia, sending } from "#tests/server/media.ts";
import { ask, attacked, audio, failed, nothing } from "./attacked.ts";

// Malicious servers that attack this server, its network or its disk (and
// grown/uploads/fetching.test.ts).

describe("attacks on the internal network", () => {
  test.each([
    "http://127.0.0.1:{inside}/",
    "http://localhost:{inside}/",
    "http://[::1]:{inside}/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::ffff:127.0.0.1]:{inside}/",
    "http://2130706433:{inside}/",
    "//127.0.0.1:{inside}/",
    "http://10.0.0.1/",
    "file:///etc/passwd",
    "http://me:secret@media.test:{media}/a.wav",
    "http://media.test:22/",
  ])("refuses a redirect to %s without a request to its target", async (location) => {
    const inside = await openMedia({ "/": audio });
    const media = await openMedia({
      "/talk": (request, response) => {
        const port = String(request.socket.localPort);
        leadingTo(location.replace("{inside}", String(inside.port)).replace("{media}", port))(request, response);
      },
    });
    const { outcome, rest } = await attacked(media, { localhost: ["127.0.0.1"] });
    expect(await outcome("/talk")).toEqual(failed("urlRefused"));
    expect(inside.asked).toEqual([]);
    expect(await rest()).toEqual(nothing);
  });

  test("refuses a feed whose recording is on the internal network", async () => {
    const inside = await openMedia({ "/": audio });
    const media = await openMedia({
      "/feed": sending(`<rss><channel><item><enclosure url="http://127.0.0.1:${inside.port}/"/></item></channel></rss>`),
    });
    const { outcome } = await attacked(media);
    expect(await outcome("/feed")).toEqual(failed("urlRefused"));
    expect(inside.asked).toEqual([]);
  });

  // PROMISE addresses: Recordings and podcasts come from a web address, from the public network alone
  test("refuses a name that resolves to an internal address at the second lookup", async () => {
    const inside = await openMedia({ "/": audio });
    const { person, asked, outcome } = await attacked(await openMedia({}), { "rebinding.test": ["8.8.8.8", "127.0.0.1"] });
    expect(await outcome("/", `http://rebinding.test:${inside.port}`)).toEqual(failed("urlRefused"));
    expect(asked).toEqual(["rebinding.test", "rebinding.test"]);
    expect(inside.asked).toEqual([]);
    expect(await refusal(await ask(person, `http://rebinding.test:${inside.port}/`))).toBe("422 urlRefused");
  });

  test("connects to the checked address when a name changes between check and connection", async () => {
    // 127.0.0.1 at the check; afterwards 127.0.0.2, where no server listens.
    const media = await openMedia({ "/a.wav": audio });
    const { outcome, asked } = await attacked(media, { "media.test": ["127.0.0.1", "127.0.0.1", "127.0.0.2"] });
    expect(await outcome("/a.wav")).toMatchObject({ status: "completed" });
    expect(asked).toEqual(["media.test", "media.test"]);
  });

  test("refuses a redirect from HTTPS to HTTP", async () => {
    const folder = new URL("../../../fixtures/tls/", import.meta.url);
    const [key, cert] = await Promise.all([readFile(new URL("key.pem", folder)), readFile(new URL("cert.pem", folder))]);
    const trusted = getCACertificates("default");
    setDefaultCACertificates([...trusted, cert.toString()]);
    onTestFinished(() => setDefaultCACertificates(trusted));
    const media = await openMedia(
      {
        "/a.wav": audio,
        "/up": leadingTo("/a.wav"),
        "/down": (request, response) => leadingTo(`http://${request.headers.host}/a.wav`)(request, response),
      },
      { key, cert },
    );
    const { outcome } = await attacked(media, { "secure.test": ["127.0.0.1"] });
    const origin = `https://secure.test:${media.port}`;
    expect(await outcome("/up", origin)).toMatchObject({ status: "completed" });
    expect(await outcome("/down", origin)).toEqual(failed("urlRefused"));
    // A certificate for another name.
    expect(await outcome("/a.wav", `https://media.test:${media.port}`)).toEqual(failed("urlUnreachable"));
  });
});
