import { readdir, readFile, stat } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { ageMagic, Usage, VaultItem, vaultLimits } from "#contract/index.ts";
import type { decodeToPcm } from "#server/speech/index.ts";
import { smallBytesOf } from "#server/storage/stored-file.ts";
import { createVaultFiles } from "#server/vault/files.ts";
import { createKeys, decryptWith, encryptFor, openWithPassphrase } from "#src/features/vault/encryption.ts";
import { onPostgres, openSql } from "#tests/server/database.ts";
import {
  base,
  eventually,
  type Person,
  read,
  refusal,
  settled,
  signInAgain,
  signUp,
  temporaryFolder,
  testClock,
  upload,
} from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { subscribe } from "#tests/server/subscription/subscribed.ts";
import { begin, listOf, metaOf, putBytes, putIn, vaults, withVault } from "./vaults.ts";

const nowhere = "00000000-0000-4000-8000-000000000000";

describe("the vault", () => {
  test("creates a vault once for its owner and replaces its passphrase by compare-and-set", async () => {
    const { server, person, keys } = await withVault();
    expect(await listOf(person)).toEqual({ vault: { ...keys.vault, revision: 0 }, items: [] });
    const otherKeys = await createKeys("another one entirely", 2);
    expect(await refusal(await person.call("POST", `${vaults}/vault`, otherKeys.vault))).toBe("409 conflict");
    const other = await signUp(server);
    expect(await listOf(other)).toEqual({ vault: null, items: [] });

    const change = { sealed: otherKeys.vault.sealed, revision: 0 };
    expect((await person.call("PUT", `${vaults}/vault`, change)).status).toBe(200);
    expect(await refusal(await person.call("PUT", `${vaults}/vault`, change))).toBe("409 conflict");
    expect((await listOf(person)).vault).toEqual({ ...keys.vault, sealed: otherKeys.vault.sealed, revision: 1 });
    expect(await refusal(await other.call("PUT", `${vaults}/vault`, change))).toBe("404 notFound");
  });

  // PROMISE vault: The server holds nothing readable; the passphrase opens the vault again
  test("refuses keys, names and files that aren't encrypted with age", async () => {
    const { server, person, keys } = await withVault();
    const plain = { ...keys.vault, sealed: keys.identity };
    expect(await refusal(await person.call("POST", `${vaults}/vault`, plain))).toBe("400 badRequest");
    expect(await refusal(await person.call("PUT", `${vaults}/vault`, { sealed: "open", revision: 0 }))).toBe("400 badRequest");
    const item = { clientId: crypto.randomUUID(), size: 10, meta: "My talk" };
    expect(await refusal(await person.call("POST", vaults, item))).toBe("400 badRequest");
    const wav = buzzWav(1);
    const { id } = await begin(person, keys, wav.length);
    const path = `${vaults}/${id}/content?offset=0`;
    expect(await refusal(await putBytes(server, person, path, wav))).toBe("400 badRequest");
    expect(await refusal(await putBytes(server, person, `${vaults}/${id}/text`, wav))).toBe("400 badRequest");
    expect((await stat(join(server.dataDir, "vault", id, "content"))).size).toBe(0);
  });

  test("deletes the vault with all of its recordings", async () => {
    const harness = await withVault();
    await putIn(harness, "one");
    await putIn(harness, "two");
    expect((await harness.person.call("DELETE", `${vaults}/vault`)).status).toBe(204);
    expect(await listOf(harness.person)).toEqual({ vault: null, items: [] });
    expect(await readdir(join(harness.server.dataDir, "vault"))).toEqual([]);
  });
});

describe("a recording in the vault", () => {
  test("receives a recording in parts, lists it when complete, and returns ranges", async () => {
    const { server, person, keys } = await withVault();
    const cipher = await encryptFor(keys.vault.recipient, "la ".repeat(100_000));
    const { id, received } = await begin(person, keys, cipher.length);
    const half = 100_000;
    const path = (offset: number) => `${vaults}/${id}/content?offset=${offset}`;
    expect(received).toBe(0);
    const first = await read(await putBytes(server, person, path(0), cipher.subarray(0, half)), 200, VaultItem);
    expect([first.received, first.arrivedAt, (await listOf(person)).items]).toEqual([half, null, []]);
    expect(await refusal(await person.call("GET", `${vaults}/${id}/content`))).toBe("404 notFound");
    const last = await read(await putBytes(server, person, path(half), cipher.subarray(half)), 200, VaultItem);
    expect([last.received, (await listOf(person)).items]).toEqual([cipher.length, [last]]);

    const whole = await person.call("GET", `${vaults}/${id}/content`);
    expect(whole.headers.get("Content-Type")).toBe("application/octet-stream");
    expect(whole.headers.get("X-Content-Type-Options")).toBe("nosniff");
    const opened = await decryptWith(keys.identity, new Uint8Array(await whole.arrayBuffer()));
    expect(new TextDecoder().decode(opened)).toBe("la ".repeat(100_000));
    const part = await person.call("GET", `${vaults}/${id}/content`, undefined, { Range: "bytes=5-9" });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, Buffer.from(cipher.subarray(5, 10))]);
  });

  test("resumes a part that was cut off and refuses a part at another offset with 409", async () => {
    const { server, person, keys } = await withVault();
    const cipher = await encryptFor(keys.vault.recipient, "la ".repeat(100_000));
    const { id } = await begin(person, keys, cipher.length);
    const sending = request(`${server.apiUrl}${vaults}/${id}/content?offset=0`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${person.token}`, "Content-Length": cipher.length },
    });
    sending.on("error", () => {});
    sending.write(cipher.subarray(0, 70_000));
    const content = join(server.dataDir, "vault", id, "content");
    await eventually(
      () =>
        stat(content)
          .then(({ size }) => size)
          .catch(() => 0),
      (size) => size === 70_000,
    );
    sending.destroy();
    const ask = async () => read(await person.call("GET", `${vaults}/${id}`), 200, VaultItem);
    const { received } = await eventually(ask, (item) => item.received > 0);
    expect(received).toBe(70_000);
    const put = (offset: number, bytes: Uint8Array) =>
      putBytes(server, person, `${vaults}/${id}/content?offset=${offset}`, bytes);
    expect(await refusal(await put(0, cipher))).toBe("409 conflict");
    expect(await refusal(await put(80_000, cipher.subarray(80_000)))).toBe("409 conflict");
    await read(await put(received, cipher.subarray(received)), 200, VaultItem);
    expect((await readFile(content)).equals(cipher)).toBe(true);
    expect(await refusal(await put(cipher.length, new Uint8Array()))).toBe("409 conflict");
  });

  test("keeps the received bytes when a part is sent again and breaks off", async () => {
    const files = createVaultFiles({ folder: await temporaryFolder(), bucket: undefined });
    const whole = Buffer.from(`${ageMagic}sealed`);
    for (const sent of [whole, Buffer.from(ageMagic)]) await files.append("one", 0, whole.length, Readable.from([sent]));
    expect(await smallBytesOf(await files.content("one"), whole.length)).toEqual(whole);
  });

  test("creates a recording once per client id, renames it, stores its text and deletes it at once", async () => {
    const harness = await withVault();
    const { server, person, keys } = harness;
    const clientId = crypto.randomUUID();
    const item = await putIn(harness, "sound", { clientId });
    expect((await begin(person, keys, 5, { clientId })).id).toBe(item.id);
    const meta = await metaOf(keys, "Another name");
    expect(await read(await person.call("PATCH", `${vaults}/${item.id}`, { meta }), 200, VaultItem)).toEqual({ ...item, meta });
    expect(await refusal(await person.call("GET", `${vaults}/${item.id}/text`))).toBe("404 notFound");
    const text = await encryptFor(keys.vault.recipient, "what was said");
    await read(await putBytes(server, person, `${vaults}/${item.id}/text`, text), 200, VaultItem);
    const got = await person.call("GET", `${vaults}/${item.id}/text`);
    expect(Buffer.from(await got.arrayBuffer())).toEqual(Buffer.from(text));
    expect((await person.call("DELETE", `${vaults}/${item.id}`)).status).toBe(204);
    expect([await readdir(join(server.dataDir, "vault")), (await listOf(person)).items]).toEqual([[], []]);
    expect(await refusal(await person.call("DELETE", `${vaults}/${item.id}`))).toBe("404 notFound");
  });

  test("deletes an incomplete recording after a day", async () => {
    const clock = testClock();
    const { server, person, keys } = await withVault({ now: clock.now });
    const { id } = await begin(person, keys, 500);
    const ask = async () => (await signInAgain(server, person)).call("GET", `${vaults}/${id}`);
    clock.advance(23 * 3_600_000);
    await server.sweep();
    expect((await ask()).status).toBe(200);
    clock.advance(2 * 3_600_000);
    await server.sweep();
    expect(await refusal(await ask())).toBe("404 notFound");
  });
});

describe("limits of the vault", () => {
  test("refuses files, parts and names over the limits and more bytes than announced", async () => {
    const { server, person, keys } = await withVault({ env: { MAX_UPLOAD_MB: "1" } });
    const meta = await metaOf(keys, "x");
    const sized = (size: number) => ({ clientId: crypto.randomUUID(), size, meta });
    expect(await refusal(await person.call("POST", vaults, sized(1024 * 1024 + 6000)))).toBe("413 tooLarge");
    expect(await refusal(await person.call("POST", vaults, sized(0)))).toBe("400 badRequest");
    const long = await metaOf(keys, "x".repeat(vaultLimits.meta));
    expect(await refusal(await person.call("POST", vaults, { ...sized(5), meta: long }))).toBe("400 badRequest");
    const cipher = await encryptFor(keys.vault.recipient, "sound");
    const { id } = await begin(person, keys, cipher.length - 1);
    expect(await refusal(await putBytes(server, person, `${vaults}/${id}/content?offset=0`, cipher))).toBe("413 tooLarge");
    const headers = { Authorization: `Bearer ${person.token}`, "Content-Length": String(vaultLimits.part + 1) };
    const status = await new Promise((resolve) => {
      const sending = request(`${server.apiUrl}${vaults}/${id}/content?offset=0`, { method: "PUT", headers });
      sending.on("response", (answer) => {
        resolve(answer.statusCode);
        sending.destroy();
      });
      sending.on("error", () => {});
      sending.flushHeaders();
    });
    expect(status).toBe(413);
  });
});

describe("users without a subscription", () => {
  // PROMISE vault: The end of a subscription deletes nothing
  test("keeps reading and deleting possible after a subscription ends, but refuses new recordings", async () => {
    const harness = await withVault();
    const { server, person, keys } = harness;
    const item = await putIn(harness, "sound");
    const other = await signUp(server);
    expect(await refusal(await other.call("POST", `${vaults}/vault`, keys.vault))).toBe("402 subscriptionRequired");

    using db = openSql(server.dataDir);
    db.exec("update subscriptions set status = 'canceled'");
    const usageOf = async (one: Person) => read(await one.call("GET", "/api/v1/usage"), 200, Usage);
    expect([await usageOf(person), await usageOf(other)]).toMatchObject([
      { limitMinutes: 10, hasVault: true },
      { limitMinutes: 10 },
    ]);
    expect(await usageOf(other)).not.toHaveProperty("hasVault");
    const another = { clientId: crypto.randomUUID(), size: 5, meta: item.meta };
    expect(await refusal(await person.call("POST", vaults, another))).toBe("402 subscriptionRequired");
    const renaming = await person.call("PATCH", `${vaults}/${item.id}`, { meta: item.meta });
    expect(await refusal(renaming)).toBe("402 subscriptionRequired");
    expect((await listOf(person)).items).toEqual([item]);
    expect((await person.call("GET", `${vaults}/${item.id}/content`)).status).toBe(200);
    expect((await person.call("DELETE", `${vaults}/${item.id}`)).status).toBe(204);
  });

  test("answers 404 for another user's recordings", async () => {
    const harness = await withVault();
    const item = await putIn(harness, "sound");
    const other = await signUp(harness.server);
    await subscribe(harness.server.dataDir, other);
    const calls = [
      ["GET", `${vaults}/${item.id}`],
      ["GET", `${vaults}/${item.id}/content`],
      ["GET", `${vaults}/${item.id}/text`],
      ["DELETE", `${vaults}/${item.id}`],
      ["DELETE", `${vaults}/${item.id}/plaintext`],
      ["GET", `${vaults}/${nowhere}`],
    ] as const;
    for (const [method, path] of calls) expect(await refusal(await other.call(method, path))).toBe("404 notFound");
    const put = await putBytes(harness.server, other, `${vaults}/${item.id}/content?offset=0`, new Uint8Array(3));
    expect(await refusal(put)).toBe("404 notFound");
    expect((await fetch(`${harness.server.apiUrl}${vaults}`)).status).toBe(401);
    expect((await listOf(harness.person)).items).toEqual([item]);
  });
});

describe("a fully compromised server", () => {
  // Concerns the SQLite file.
  // PROMISE vault: A transcription is compared before it moves, and leaves nothing readable behind
  test.skipIf(onPostgres)(
    "keeps nothing readable of a transcription that moved into the vault, even in free database pages",
    async () => {
      const harness = await withVault();
      const { server, person, keys } = harness;
      const wav = buzzWav(20);
      const accepted = await upload(person, wav, { fields: { title: "Zanzibar affair", targetLanguage: "es" } });
      const { id } = await accepted.json();
      const made = await settled(person, id);
      await person.call("PUT", `/audio/remove-transcription/${id}`, { text: "the quince orchard at midnight" });
      const sound = Buffer.from(wav.subarray(wav.length - 400_000, wav.length - 399_900));
      expect([await holds(server.dataDir, "quince orchard"), await holds(server.dataDir, sound)]).toEqual([true, true]);

      const item = await putIn(harness, "sound", { transcriptionId: id });
      expect((await person.call("DELETE", `${vaults}/${item.id}/plaintext`)).status).toBe(204);
      expect((await person.call("DELETE", `${vaults}/${item.id}/plaintext`)).status).toBe(204);
      expect(await refusal(await person.call("GET", `${base}/transcription/${id}`))).toBe("404 notFound");
      const secrets = [
        "Zanzibar",
        "quince orchard",
        made.text,
        "RIFF",
        sound,
        keys.identity,
        keys.recoveryKey,
        "correct horse battery",
      ];
      for (const secret of secrets)
        expect([String(secret).slice(0, 20), await holds(server.dataDir, secret)]).toEqual([String(secret).slice(0, 20), false]);
      expect(await openWithPassphrase((await listOf(person)).vault?.sealed ?? "", "correct horse battery")).toBe(keys.identity);
    },
  );

  test("refuses to erase a transcription for the vault while it is still being made", async () => {
    const { server, person, keys } = await withVault({ decode: neverEnding });
    const { id } = await (await upload(person, buzzWav(3))).json();
    const cipher = await encryptFor(keys.vault.recipient, "x");
    const item = await begin(person, keys, cipher.length, { transcriptionId: id });
    await putBytes(server, person, `${vaults}/${item.id}/content?offset=0`, cipher);
    expect(await refusal(await person.call("DELETE", `${vaults}/${item.id}/plaintext`))).toBe("409 conflict");
  });
});

/** Decodes until it is aborted. */
const neverEnding: typeof decodeToPcm = (_, { signal }) =>
  new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

/** Whether any file of the data folder contains these bytes. */
async function holds(dataDir: string, secret: string | Buffer): Promise<boolean> {
  const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
  for (const file of names) {
    if (!file.isFile()) continue;
    const bytes = await readFile(join(file.parentPath, file.name));
    if (bytes.includes(secret)) return true;
  }
  return false;
}
