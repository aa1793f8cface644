import { describe, expect, test } from "vitest";
import { maxVaultLinks, UserProfile } from "#contract/index.ts";
import { VaultError } from "#src/features/vault/encryption.ts";
import { openLink } from "#src/features/vault/link-crypto.ts";
import { decipher } from "#src/features/vault/streams.ts";
import { read, refusal, signInAgain, signUp, testClock } from "#tests/server/harness.ts";
import { subscribe } from "#tests/server/subscription/subscribed.ts";
import { about, linksOf, listedLinks, shareItem, visitRecording } from "./links.ts";
import { putIn, vaults, withVault } from "./vaults.ts";

const gone = "404 notFound";
const dayMs = 24 * 60 * 60 * 1000;

async function start(options: Parameters<typeof withVault>[0] = {}) {
  const clock = testClock();
  const harness = await withVault({ now: clock.now, ...options });
  return { ...harness, clock, item: await putIn(harness, "what was said in confidence") };
}

/** Decrypts like the visitor's page. */
async function heard(
  harness: Awaited<ReturnType<typeof start>>,
  link: Awaited<ReturnType<typeof shareItem>>,
  passphrase?: string,
) {
  const visitor = visitRecording(harness.server, link);
  const { sealed, size } = await visitor.given();
  const { about: shown, identity } = await openLink(sealed, link.key, passphrase ?? null);
  if (identity === null) throw new Error("It has no sound.");
  const cipher = new Uint8Array(await (await visitor.content()).arrayBuffer());
  expect(cipher.length).toBe(size);
  const plain = decipher(identity);
  const parts = [await plain.write(cipher), await plain.end()];
  return { shown, sound: parts.map((part) => new TextDecoder().decode(part)).join("") };
}

describe("a link to a recording in the vault", () => {
  test("opens a link with the key in its fragment without sending the key to the server", async () => {
    const lines: string[] = [];
    const harness = await start({ writeLog: (line) => void lines.push(line) });
    const link = await shareItem(harness, harness.item);
    expect(await heard(harness, link)).toEqual({ shown: about, sound: "what was said in confidence" });
    const page = await fetch(`${harness.server.pageUrl}/shared-recording`, { headers: { Accept: "text/html" } });
    expect(page.headers.get("X-Robots-Tag")).toBe("noindex, nofollow, noarchive");
    expect(page.headers.get("Referrer-Policy")).toBe("no-referrer");
    await page.body?.cancel();
    const log = lines.join("");
    expect(log).toContain("/api/v1/shared-recordings/:link/open");
    for (const secret of [link.key, link.secret, "harbour", "confidence"])
      expect([secret, log.includes(secret)]).toEqual([secret, false]);
    expect(log).toContain("vault link created");
    expect(await listedLinks(harness.person, harness.item.id)).toEqual([
      expect.objectContaining({ id: link.id, audio: true, text: true, locked: false, views: 1, ended: false }),
    ]);
  });

  test("opens a protected link only with its passphrase and its own key", async () => {
    const harness = await start();
    const link = await shareItem(harness, harness.item, { passphrase: "seventeen green boats" });
    expect((await heard(harness, link, "seventeen green boats")).sound).toBe("what was said in confidence");
    const { sealed, locked } = await visitRecording(harness.server, link).given();
    expect(locked).toBe(true);
    const wrong = new VaultError("wrongPassphrase");
    await expect(openLink(sealed, link.key, "seventeen green boat")).rejects.toThrow(wrong.message);
    await expect(openLink(sealed, link.key, null)).rejects.toThrow(wrong.message);
    const other = await shareItem(harness, harness.item);
    await expect(openLink(sealed, other.key, "seventeen green boats")).rejects.toThrow(wrong.message);
  });

  test("serves no bytes for a guessed secret or after the link is revoked", async () => {
    const harness = await start();
    const link = await shareItem(harness, harness.item);
    const visitor = visitRecording(harness.server, link);
    expect(await refusal(await visitor.content())).toBe(gone);
    expect(await refusal(await visitRecording(harness.server, { ...link, secret: "A".repeat(43) }).open())).toBe(gone);
    await visitor.given();
    expect((await visitor.content({ Range: "bytes=0-9" })).status).toBe(206);
    const other = await shareItem(harness, harness.item);
    const withOthersCookie = await fetch(`${harness.server.apiUrl}${visitRecording(harness.server, other).path}/content`, {
      headers: { Cookie: visitor.cookie() },
    });
    expect(await refusal(withOthersCookie)).toBe(gone);
    expect((await harness.person.call("DELETE", `${linksOf(harness.item.id)}/${link.id}`)).status).toBe(204);
    expect(await refusal(await visitor.content({ Range: "bytes=10-19" }))).toBe(gone);
    expect(await refusal(await visitor.open())).toBe(gone);
    expect(await refusal(await harness.person.call("DELETE", `${linksOf(harness.item.id)}/${link.id}`))).toBe(gone);
  });

  test("ends a link on its date and deletes it a month later", async () => {
    const harness = await start();
    const expiresAt = new Date(harness.clock.now() + dayMs).toISOString();
    const dated = visitRecording(harness.server, await shareItem(harness, harness.item, { expiresAt }));
    await shareItem(harness, harness.item);
    harness.clock.advance(dayMs);
    expect(await refusal(await dated.open())).toBe(gone);
    const ends = async () =>
      (await listedLinks(await signInAgain(harness.server, harness.person), harness.item.id)).map(({ ended }) => ended);
    expect((await ends()).toSorted()).toEqual([false, true]);
    harness.clock.advance(30 * dayMs);
    await harness.server.sweep();
    expect(await ends()).toEqual([false]);
  });

  test("requires an end in the future and deletes links with their recording and vault", async () => {
    const harness = await start();
    const expiresAt = new Date(harness.clock.now() + dayMs).toISOString();
    const dated = visitRecording(harness.server, await shareItem(harness, harness.item, { expiresAt }));
    expect((await dated.given()).expiresAt).toBe(expiresAt);
    const past = { ...(await shareBody(harness)), expiresAt: new Date(harness.clock.now() - 1).toISOString() };
    expect(await refusal(await harness.person.call("POST", linksOf(harness.item.id), past))).toBe("400 badRequest");
    const second = await putIn(harness, "another");
    const lasting = visitRecording(harness.server, await shareItem(harness, second));
    const third = visitRecording(harness.server, await shareItem(harness, await putIn(harness, "a third")));
    await harness.person.call("DELETE", `${vaults}/${second.id}`);
    expect(await refusal(await lasting.open())).toBe(gone);
    expect((await third.open()).status).toBe(200);
    await harness.person.call("DELETE", `${vaults}/vault`);
    expect(await refusal(await third.content())).toBe(gone);
  });

  test("serves no sound for a link without it and refuses links that show nothing or are readable", async () => {
    const harness = await start();
    const visitor = visitRecording(harness.server, await shareItem(harness, harness.item, { audio: false }));
    expect((await visitor.given()).size).toBeNull();
    expect(await refusal(await visitor.content())).toBe(gone);
    const body = await shareBody(harness);
    for (const bad of [
      { ...body, audio: false, text: false },
      { ...body, sealed: "The harbour" },
    ])
      expect(await refusal(await harness.person.call("POST", linksOf(harness.item.id), bad))).toBe("400 badRequest");
    const huge = { ...body, sealed: body.sealed.replace("\n", `\n${"A".repeat(2_300_000)}\n`) };
    expect(await refusal(await harness.person.call("POST", linksOf(harness.item.id), huge))).toBe("413 tooLarge");
  });

  test("lets only the owner create, list and revoke links, up to a maximum", async () => {
    const harness = await start();
    const body = await shareBody(harness);
    const other = await signUp(harness.server);
    await subscribe(harness.server.dataDir, other);
    const link = await shareItem(harness, harness.item);
    const path = linksOf(harness.item.id);
    expect(await refusal(await other.call("POST", path, body))).toBe(gone);
    expect(await refusal(await other.call("GET", path))).toBe(gone);
    expect(await refusal(await other.call("DELETE", `${path}/${link.id}`))).toBe(gone);
    for (let count = 1; count < maxVaultLinks; count++) expect((await harness.person.call("POST", path, body)).status).toBe(201);
    expect(await refusal(await harness.person.call("POST", path, body))).toMatch(/tooManyAtOnce/);
    expect(await listedLinks(harness.person, harness.item.id)).toHaveLength(maxVaultLinks);
    await read(await harness.person.call("GET", "/users/me"), 200, UserProfile);
  });
});

async function shareBody(harness: Awaited<ReturnType<typeof start>>) {
  const { sealed } = await shareItem(harness, await putIn(harness, "for its body"));
  return { sealed, audio: true, text: true, locked: false, expiresAt: null };
}
