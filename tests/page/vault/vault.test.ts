import { describe, expect, test } from "vitest";
import type { NewVaultItem, VaultItem } from "#contract/index.ts";
import { ApiError } from "#src/api/http.ts";
import { createKeys, encryptFor, openWithPassphrase, openWithRecoveryKey, sealIdentity } from "#src/features/vault/encryption.ts";
import { fileNameOf } from "#src/features/vault/meta.ts";
import { strengthOf } from "#src/features/vault/passphrase.ts";
import { createSending, type Parcel } from "#src/features/vault/sending.ts";
import { decipher, encipher } from "#src/features/vault/streams.ts";
import { createTasks, type Tasks } from "#src/features/vault/tasks.ts";
import type { VaultWorker } from "#src/features/vault/worker.ts";

/** A low scrypt work factor, so that the keys open quickly. */
const easy = 2;
const megabyte = 1024 * 1024;

/** A huge file that produces its bytes only as they are read. */
class Endless extends Blob {
  given = 0;
  readonly #size: number;
  constructor(size: number) {
    super();
    this.#size = size;
  }
  override get size(): number {
    return this.#size;
  }
  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream({
      pull: (controller) => {
        const next = Math.min(65_536, this.#size - this.given);
        if (next === 0) return controller.close();
        this.given += next;
        controller.enqueue(new Uint8Array(next).fill(this.given % 256));
      },
    });
  }
}

describe("keys of the vault", () => {
  test("keys of the vault open with the passphrase in any Unicode form, and with the recovery key as typed", async () => {
    const keys = await createKeys("Zürich im März, um 5", easy);
    expect(await openWithPassphrase(keys.vault.sealed, "Zu\u0308rich im Ma\u0308rz, um 5")).toBe(keys.identity);
    const typed = ` ${keys.recoveryKey.toLowerCase().replace(/(.{10})/g, "$1 ")}\n`;
    expect(await openWithRecoveryKey(keys.vault.recoverySealed, typed)).toBe(keys.identity);
  });

  // PROMISE vault: Only the recovery key replaces a forgotten passphrase
  test.each([
    ["a wrong passphrase", "wrongPassphrase", (keys: Keys) => openWithPassphrase(keys.vault.sealed, "something else")],
    [
      "a key that is none",
      "wrongRecoveryKey",
      (keys: Keys) => openWithRecoveryKey(keys.vault.recoverySealed, "AGE-SECRET-KEY-1"),
    ],
    ["another vault's key", "wrongRecoveryKey", (keys: Keys) => openWithRecoveryKey(keys.vault.recoverySealed, keys.identity)],
    ["a sealed key that is damaged", "wrongPassphrase", () => openWithPassphrase("-----BEGIN", "correct horse")],
  ])("keys of the vault open nothing with %s", async (_, code, attempt) => {
    const keys = await createKeys("correct horse battery", easy);
    await expect(attempt(keys)).rejects.toMatchObject({ code });
  });
});
type Keys = Awaited<ReturnType<typeof createKeys>>;

describe("tasks of the vault's worker", () => {
  test("tasks of the vault's worker hold the identity only after unlocking", async () => {
    const tasks = createTasks(easy);
    await expect(tasks.open({ armored: "" })).rejects.toMatchObject({ code: "locked" });
    const { vault } = await createTasks(easy).create({ passphrase: "correct horse battery" });
    await tasks.unlock({ ...vault, passphrase: "correct horse battery" });
    const armored = await tasks.seal({ recipient: vault.recipient, text: "a name" });
    expect(await tasks.open({ armored })).toBe("a name");
    const other = await tasks.change({ sealed: vault.sealed, passphrase: "correct horse battery", next: "another one entirely" });
    await expect(openWithPassphrase(other, "another one entirely")).resolves.toMatch(/^AGE-SECRET-KEY-1/);
    const wrong = tasks.change({ sealed: vault.sealed, passphrase: "guessed", next: "mine from now on" });
    await expect(wrong).rejects.toMatchObject({ code: "wrongPassphrase" });
  });

  test("tasks of the vault's worker refuse a vault whose recipient the server has exchanged", async () => {
    const [mine, theirs] = [await createKeys("correct horse battery", easy), await createKeys("another horse battery", easy)];
    const tasks = createTasks(easy);
    const { recipient } = theirs.vault;
    const unlocking = tasks.unlock({ sealed: mine.vault.sealed, passphrase: "correct horse battery", recipient });
    await expect(unlocking).rejects.toMatchObject({ code: "tampered" });
    await expect(tasks.reseal({ passphrase: "x" })).rejects.toMatchObject({ code: "locked" });
    expect(await sealIdentity(mine.identity, "x", easy)).toMatch(/^-----BEGIN AGE/);
  });
});

describe("encrypted file", () => {
  test("the vault encrypts 2 GB without reading ahead", async () => {
    const { vault } = await createKeys("correct horse battery", easy);
    const file = new Endless(2_000_000_000);
    const cipher = await encipher(vault.recipient, file);
    expect(cipher.size).toBeGreaterThan(file.size);
    for (let part = 1; part <= 3; part++) {
      expect((await cipher.read(megabyte)).length).toBe(megabyte);
      expect(file.given).toBeLessThan(part * megabyte + 5 * 65_536);
    }
    await cipher.cancel();
  });

  test.each([0, 1, 65_536, 65_537, 300_000])("the vault decrypts %d bytes unchanged, however they are cut", async (size) => {
    const { vault, identity } = await createKeys("correct horse battery", easy);
    const source = new Blob([new Uint8Array(size).fill(7)]);
    const cipher = await encipher(vault.recipient, source);
    const plain = decipher(identity);
    const out: Uint8Array<ArrayBuffer>[] = [];
    let sent = 0;
    for (let part = await cipher.read(50_000); part.length > 0; part = await cipher.read(50_000)) {
      sent += part.length;
      out.push(await plain.write(part));
    }
    out.push(await plain.end());
    expect(sent).toBe(cipher.size);
    expect(new Uint8Array(await new Blob(out).arrayBuffer())).toEqual(new Uint8Array(size).fill(7));
  });

  test.each([
    ["one bit is another", (cipher: Uint8Array) => cipher.with(cipher.length - 70_000, (cipher.at(-70_000) ?? 0) ^ 1)],
    ["its end is missing", (cipher: Uint8Array) => cipher.subarray(0, -70_000)],
    ["it ends between two chunks", (cipher: Uint8Array) => cipher.subarray(0, -(200_000 % 65_536) - 16)],
    ["it is for somebody else", () => new TextEncoder().encode("age-encryption.org/v1\n-> X25519 x\n--- x\n")],
    ["it is no age file", () => new Uint8Array(100)],
  ])("the encrypted file is refused when %s", async (_, change) => {
    const { vault, identity } = await createKeys("correct horse battery", easy);
    const cipher = change(await encryptFor(vault.recipient, new Uint8Array(200_000)));
    const plain = decipher(identity);
    const reading = async () => {
      for (let at = 0; at < cipher.length; at += 30_000) await plain.write(cipher.subarray(at, at + 30_000));
      await plain.end();
    };
    await expect(reading()).rejects.toMatchObject({ code: "tampered" });
  });
});

/** A server that stores what it receives and drops answers when the test says so. */
function setUpSending(size: number) {
  let stored = new Uint8Array(0);
  let item: VaultItem | undefined;
  const offsets: number[] = [];
  const removed: string[] = [];
  let trouble: "none" | "answer" | "half" = "none";
  const present = () => {
    if (item === undefined) throw new ApiError(404, "notFound");
    item = { ...item, received: stored.length, arrivedAt: stored.length === item.size ? "2026-11-20T10:00:00Z" : null };
    return item;
  };
  const api = {
    begin: async ({ clientId, size: whole, meta }: NewVaultItem) => {
      item ??= { id: "i1", clientId, size: whole, received: 0, arrivedAt: null, transcriptionId: null, meta, hasText: false };
      return present();
    },
    item: async () => present(),
    putText: async () => present(),
    putPart: async (_: string, offset: number, bytes: Uint8Array) => {
      offsets.push(offset);
      if (offset !== stored.length) throw new ApiError(409, "conflict");
      const kept = trouble === "half" ? bytes.subarray(0, bytes.length >> 1) : bytes;
      stored = Buffer.concat([stored, kept]);
      const lost = trouble !== "none";
      trouble = "none";
      if (lost) throw new ApiError(0, "network");
      return present();
    },
    remove: async (id: string) => {
      removed.push(id);
      stored = new Uint8Array(0);
      item = undefined;
      return undefined;
    },
  };
  const tasks: Tasks = createTasks(easy);
  const source = new Blob([new Uint8Array(size).map((_, i) => i)]);
  const meta = { version: 1, name: "n", recordedAt: "2026-11-20T10:00:00Z", durationSeconds: null, type: "audio/wav" } as const;
  const parcel: Parcel = { id: "c1", source, meta, text: null, transcriptionId: null };
  const begin = async () => {
    const keys = await createKeys("correct horse battery", easy);
    const ask: VaultWorker["ask"] = (name, input) => tasks[name](input);
    const sending = createSending(parcel, {
      api,
      worker: { ask },
      recipient: keys.vault.recipient,
      now: () => 0,
      onSent: () => {},
    });
    return { keys, sending };
  };
  const readBack = async (identity: string) => {
    const plain = decipher(identity);
    return new Blob([await plain.write(stored), await plain.end()]);
  };
  return { api, offsets, removed, source, begin, readBack, lose: (what: typeof trouble) => (trouble = what) };
}
const never = new AbortController().signal;
const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());

describe("upload of an encrypted file", () => {
  test.each(["answer", "half"] as const)("continues with the same bytes when %s of a part is lost", async (what) => {
    const harness = setUpSending(1.5 * megabyte);
    const { keys, sending } = await harness.begin();
    harness.lose(what);
    await expect(sending.run(never)).rejects.toMatchObject({ status: 0 });
    const item = await sending.run(never);
    expect(item.received).toBe(item.size);
    expect(harness.offsets.slice(0, 2)).toEqual([0, what === "answer" ? megabyte : megabyte / 2]);
    expect(await bytesOf(await harness.readBack(keys.identity))).toEqual(await bytesOf(harness.source));
  });

  test("starts over after a page that is gone, because random bytes differ", async () => {
    const harness = setUpSending(1.5 * megabyte);
    const first = await harness.begin();
    harness.lose("half");
    await expect(first.sending.run(never)).rejects.toMatchObject({ status: 0 });
    const second = await harness.begin();
    await second.sending.run(never);
    expect(harness.removed).toEqual(["i1"]);
    expect(await bytesOf(await harness.readBack(second.keys.identity))).toEqual(await bytesOf(harness.source));
  });

  test("sends nothing that has arrived, and leaves nothing when aborted", async () => {
    const harness = setUpSending(1000);
    await (await harness.begin()).sending.run(never);
    const again = await harness.begin();
    await again.sending.run(never);
    expect(harness.offsets).toEqual([0]);
    await again.sending.discard(never);
    expect(harness.removed).toEqual(["i1"]);
  });
});

test("the vault rates a passphrase by length and variety", () => {
  const words = [
    "short",
    "eleven char",
    "aaaaaaaaaaaaaaaaaaaaaaaa",
    "twelve chars",
    "sixteen letters!",
    "four or five quiet words",
  ];
  expect(words.map(strengthOf)).toEqual([0, 0, 0, 1, 2, 3]);
});

test("gives a file a name for every file system, with a known extension", () => {
  const named = (name: string, type = "audio/webm;codecs=opus") => fileNameOf({ name, type });
  expect([named('A/B: "c"\u0000'), named(""), named("talk.webm"), named("talk", "application/x")]).toEqual([
    "A B c.webm",
    "recording.webm",
    "talk.webm",
    "talk",
  ]);
});
