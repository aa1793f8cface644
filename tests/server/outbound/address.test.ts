import { describe, expect, test } from "vitest";
import { addressesOf, checkUrl, isPublic } from "#server/outbound/address.ts";

const nobody = { allowed: new Set<string>() };
const times = { connectMs: 1_000, idleMs: 1_000 };

describe("network address", () => {
  test.each(["8.8.8.8", "1.1.1.1", "172.15.0.1", "100.63.255.255", "2606:4700:4700::1111", "2a00:1450:4001::1"])(
    "the address %s counts as public",
    (address) => expect(isPublic(address)).toBe(true),
  );

  test.each([
    ["this host", ["0.0.0.0", "0.1.2.3", "::"]],
    ["loopback", ["127.0.0.1", "127.255.255.254", "::1"]],
    ["private", ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "fc00::1", "fd12:3456::1", "fec0::1"]],
    ["shared between a provider's customers", ["100.64.0.1", "100.127.255.255"]],
    ["link-local, with the clouds' metadata", ["169.254.169.254", "fe80::1", "fd00:ec2::254"]],
    ["for documentation and measurements", ["192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "2001:db8::1", "3fff::1"]],
    ["multicast, broadcast", ["224.0.0.1", "239.255.255.255", "255.255.255.255", "ff02::1"]],
    ["reserved", ["192.0.0.1", "240.0.0.1", "4000::1", "100::1", "5f00::1"]],
    ["IPv4 inside of IPv6", ["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "::ffff:0:127.0.0.1"]],
    ["6to4, NAT64, Teredo", ["2002:7f00:1::1", "64:ff9b::7f00:1", "64:ff9b:1::a00:1", "2001::1"]],
    ["no address", ["", "localhost", "1.2.3", "127.0.0.1:80", "fe80::1%eth0"]],
  ])("no address of this kind is public: %s", (_name, addresses) => {
    expect(addresses.filter(isPublic)).toEqual([]);
  });
});

describe("web address", () => {
  test.each([
    "https://example.org/talk.mp3",
    "http://example.org:8080/a?b=c",
    "HTTP://EXAMPLE.ORG/",
    "https://[2606:4700::1]/a.mp3",
    "http://example.org:443/",
  ])("accepts %s, or names its port as the reason", (text) => {
    if (text.includes(":443")) expect(() => checkUrl(text, nobody)).toThrow("its port");
    else expect(checkUrl(text, nobody).protocol).toMatch(/^https?:$/);
  });

  test.each([
    ["file:///etc/passwd", "only http and https"],
    ["ftp://example.org/a.mp3", "only http and https"],
    ["data:audio/wav;base64,AAAA", "only http and https"],
    ["javascript:alert(1)", "only http and https"],
    ["gopher://example.org:70/_GET", "only http and https"],
    ["https://me:secret@example.org/", "a user name or password"],
    ["https://me@example.org/", "a user name or password"],
    ["http://example.org:22/", "its port"],
    ["http://example.org:25/", "its port"],
    ["/talk.mp3", "not an address"],
    ["", "not an address"],
    ["http://", "not an address"],
    [`https://example.org/${"a".repeat(5000)}`, "not an address"],
  ])("refuses to fetch %s, with a reason", (text, why) => {
    expect(() => checkUrl(text, nobody)).toThrow(why);
  });

  const fixed =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address }));
  const refused = (url: string, ...addresses: string[]) =>
    addressesOf(new URL(url), { ...nobody, resolve: fixed(...addresses), times }).then(
      () => "accepted",
      (error: { code: string }) => error.code,
    );

  test("resolves a name to its addresses, all of which have to be public", async () => {
    expect(
      await addressesOf(new URL("https://example.org/"), { ...nobody, resolve: fixed("8.8.8.8", "2606:4700::1"), times }),
    ).toEqual([
      { address: "8.8.8.8", family: 4 },
      { address: "2606:4700::1", family: 6 },
    ]);
    expect(await refused("https://example.org/", "8.8.8.8", "10.0.0.1")).toBe("urlRefused");
    expect(await refused("https://example.org/")).toBe("urlUnreachable");
  });

  test.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://0/",
  ])("refuses %s as an address of this machine or network", async (url) => {
    expect(await refused(url)).toBe("urlRefused");
  });

  test("allows a private address on the list only with its exact port", async () => {
    const allowed = new Set(["media.intranet:8080"]);
    const found = addressesOf(new URL("http://media.intranet:8080/a.mp3"), { allowed, resolve: fixed("10.0.0.1"), times });
    expect(await found).toEqual([{ address: "10.0.0.1", family: 4 }]);
    const other = addressesOf(new URL("http://media.intranet:8081/a.mp3"), { allowed, resolve: fixed("10.0.0.1"), times });
    await expect(other).rejects.toMatchObject({ code: "urlRefused" });
    expect(checkUrl("http://box.intranet:99/", { allowed: new Set(["box.intranet:99"]) }).port).toBe("99");
  });
});
