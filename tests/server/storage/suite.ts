import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { describe, expect, test } from "vitest";
import { ageMagic } from "#contract/index.ts";
import { RecordingFile, restoreRecording } from "#server/dictation/recording-file.ts";
import type { Incoming, Storage } from "#server/storage/storage.ts";
import type { StoredFile } from "#server/storage/stored-file.ts";
import { createVaultFiles } from "#server/vault/files.ts";

/** Opens an empty storage that is deleted after the test. */
type Open = () => Promise<Storage>;

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function bytesOf(file: StoredFile | undefined, range?: { start: number; end: number }): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of file?.read(range) ?? []) parts.push(part);
  return Buffer.concat(parts);
}

async function keep(incoming: Incoming, content: Buffer): Promise<void> {
  await pipeline(Readable.from([content]), incoming.stream);
  await incoming.keep();
}

async function* partsOf(...parts: Buffer[]): AsyncGenerator<Buffer> {
  yield* parts;
}

/** The parts, then an error as if the sender disconnects. */
async function* cutOff(...parts: Buffer[]): AsyncGenerator<Buffer> {
  yield* parts;
  throw new Error("gone");
}

/** The tests that every kind of storage must pass. */
export function storageSuite(name: string, open: Open): void {
  describe(`files ${name}`, () => {
    test("returns a stored audio whole and in part", async () => {
      const storage = await open();
      const [id, content] = [randomUUID(), randomBytes(300_000)];
      const incoming = storage.receive(id);
      await keep(incoming, content);
      expect(incoming.bytes).toBe(content.length);
      const audio = await storage.audio(id);
      expect(audio?.size).toBe(content.length);
      expect((await bytesOf(audio)).equals(content)).toBe(true);
      expect((await bytesOf(audio, { start: 100, end: 270_000 })).equals(content.subarray(100, 270_001))).toBe(true);
      expect((await allOf(storage.list("audio"))).map((stored) => stored.id)).toEqual([id]);
      await storage.removeAudio(id);
      expect([await storage.audio(id), await allOf(storage.list("audio"))]).toEqual([undefined, []]);
    });

    test("stores an audio's waveform beside it and deletes it with the audio or its version", async () => {
      const storage = await open();
      const [id, gone] = [randomUUID(), randomUUID()];
      await keep(storage.receive(id), Buffer.from("sound"));
      const kept = async () => [String(await storage.peaks.read(id)), await storage.peaks.size(id)];
      expect(await kept()).toEqual(["undefined", 0]);
      for (const drawn of ["first", "2nd"]) {
        await storage.peaks.write(id, Buffer.from(drawn));
        expect(await kept()).toEqual([drawn, drawn.length]);
      }
      expect(String(await bytesOf(await storage.audio(id)))).toBe("sound");
      await storage.peaks.remove(id);
      expect(await kept()).toEqual(["undefined", 0]);
      await storage.peaks.write(id, Buffer.from("3rd"));
      await storage.writeReplacement("b.wav", partsOf(Buffer.from("other")));
      await storage.installReplacement(id, "b.wav");
      expect(await kept()).toEqual(["undefined", 0]);
      await storage.peaks.write(id, Buffer.alloc(2_000_000));
      expect((await kept())[0]).toBe("undefined");
      await storage.removeAudio(id);
      expect(await kept()).toEqual(["undefined", 0]);
      if (storage.bucket === undefined) await storage.peaks.write(gone, Buffer.from("late"));
      expect(await allOf(storage.list("audio"))).toEqual([]);
    });

    test("stores a video's derived files beside it, replaces them, and deletes them with it", async () => {
      const storage = await open();
      const id = randomUUID();
      await keep(storage.receive(id), randomBytes(100));
      const put = async (content: string) => {
        await using folder = await storage.scratchFolder();
        await writeFile(join(folder.path, "video"), content);
        await storage.videos.keep(id, "picture", join(folder.path, "video"));
        return folder.path;
      };
      const scratch = await put("first");
      await put("second");
      expect(String(await bytesOf(await storage.videos.file(id, "picture"), { start: 1, end: 5 }))).toBe("econd");
      expect([await storage.videos.file(id, "captioned"), existsSync(scratch)]).toEqual([undefined, false]);
      await storage.videos.remove(id, "picture");
      expect(await storage.videos.file(id, "picture")).toBeUndefined();
      await put("third");
      await storage.removeAudio(id);
      expect([await storage.videos.file(id, "picture"), await allOf(storage.list("audio"))]).toEqual([undefined, []]);
    });

    test("leaves nothing behind when an upload is discarded or cut off", async () => {
      const storage = await open();
      const whole = storage.receive(randomUUID());
      await pipeline(Readable.from([Buffer.alloc(1000)]), whole.stream);
      await whole.discard();
      const cut = storage.receive(randomUUID());
      await expect(pipeline(Readable.from(cutOff(Buffer.alloc(9_000_000))), cut.stream)).rejects.toThrow("gone");
      await cut.discard();
      expect([await allOf(storage.list("audio")), await allOf(storage.list("incoming"))]).toEqual([[], []]);
    });

    test("replaces an audio when it is fetched again or a new version is installed", async () => {
      const storage = await open();
      const id = randomUUID();
      await keep(storage.receiveAgain(id), Buffer.from("first"));
      await keep(storage.receiveAgain(id), Buffer.from("second"));
      expect(String(await bytesOf(await storage.audio(id)))).toBe("second");
      await storage.writeReplacement("a.wav", partsOf(Buffer.from("thi"), Buffer.from("rd")));
      expect(String(await bytesOf(await storage.audio(id)))).toBe("second");
      expect(await storage.installReplacement(id, "a.wav")).toBe(true);
      expect(await storage.installReplacement(id, "a.wav")).toBe(false);
      expect(String(await bytesOf(await storage.audio(id)))).toBe("third");
      await storage.writeReplacement("b.wav", partsOf(Buffer.from("never")));
      expect((await allOf(storage.list("incoming"))).map((stored) => stored.id)).toEqual(["b"]);
      await storage.removeReplacement("b.wav");
      await expect(storage.writeReplacement("c.wav", cutOff(Buffer.alloc(10)))).rejects.toThrow("gone");
      expect(await allOf(storage.list("incoming"))).toEqual([]);
    });

    test("provides an audio as a local file for as long as a program needs it", async () => {
      const storage = await open();
      const [id, content] = [randomUUID(), randomBytes(100_000)];
      await keep(storage.receive(id), content);
      const local = await storage.localAudio(id);
      expect((await readFile(local.path)).equals(content)).toBe(true);
      await local[Symbol.asyncDispose]();
      expect(existsSync(local.path)).toBe(storage.bucket === undefined);
    });

    test("lists files without an owner and removes them", async () => {
      const storage = await open();
      await keep(storage.receive(randomUUID()), Buffer.from("a"));
      const [found] = await allOf(storage.list("audio"));
      expect(found?.touchedAt).toBeGreaterThan(Date.now() - 60_000);
      await found?.remove();
      expect(await allOf(storage.list("audio"))).toEqual([]);
    });

    test("stores a picture under its own name only", async () => {
      const storage = await open();
      for (const kind of ["avatars", "blog-images"] as const) {
        const [pictures, id] = [storage.blobs(kind), randomUUID()];
        await pictures.write(id, Buffer.from(kind));
        expect(String(await pictures.read(id))).toBe(kind);
        expect(await pictures.read(randomUUID())).toBeUndefined();
        await pictures.remove(id);
        await pictures.remove(id);
        expect(await pictures.read(id)).toBeUndefined();
      }
    });
  });
  liveSuite(name, open);
  vaultSuite(name, open);
}

function liveSuite(name: string, open: Open): void {
  describe(`a live dictation ${name}`, () => {
    test("continues a live dictation from its last durable frame", async () => {
      const storage = await open();
      const id = randomUUID();
      const frames = Array.from({ length: 30 }, (_, number) => Buffer.alloc(2560, number));
      const first = await RecordingFile.open(await restoreRecording(storage, id));
      for (const frame of frames.slice(0, 20)) await first.append(frame);
      await makeDurable(storage, id, first, 0);
      await first.close();
      await storage.releaseLive(id);
      const again = await RecordingFile.open(await restoreRecording(storage, id));
      expect(again.frames).toBe(20);
      for (const frame of frames.slice(20)) await again.append(frame);
      await makeDurable(storage, id, again, 20);
      expect((await again.read(0, 1e6)).equals(Buffer.concat(frames))).toBe(true);
      await again.close();
      expect((await allOf(storage.list("live"))).every((stored) => stored.id === id)).toBe(true);
      await storage.removeLive(id);
      expect(await allOf(storage.list("live"))).toEqual([]);
    });
  });
}

/** Makes frames durable as a live session does (dictation/live-session.ts). */
export async function makeDurable(storage: Storage, id: string, file: RecordingFile, firstFrame: number): Promise<void> {
  const blocks = storage.liveBlocks(id);
  if (blocks === undefined) await file.sync();
  else await blocks.append(firstFrame, await file.blockFrom(firstFrame));
}

function vaultSuite(name: string, open: Open): void {
  const magic = Buffer.from(ageMagic);
  const sealed = (bytes: number) => Buffer.concat([magic, randomBytes(bytes - magic.length)]);

  describe(`a vault ${name}`, () => {
    test("stores a vault item in parts, resumes after a break, and returns ranges", async () => {
      const files = createVaultFiles(await open());
      const [id, content] = [randomUUID(), sealed(12_000_000)];
      const first = await files.append(
        id,
        0,
        content.length,
        cutOff(content.subarray(0, 5_000_000), content.subarray(5_000_000, 6_000_000)),
      );
      expect(first).toMatchObject({ end: 6_000_000, failure: new Error("gone") });
      expect(await files.arrived(id, 6_000_000)).toBe(6_000_000);
      const last = await files.append(id, 6_000_000, content.length, partsOf(content.subarray(6_000_000)));
      expect(last).toEqual({ end: content.length, failure: undefined });
      const whole = await files.content(id);
      expect(whole?.size).toBe(content.length);
      expect((await bytesOf(whole)).equals(content)).toBe(true);
      expect((await bytesOf(whole, { start: 5, end: 11_000_000 })).equals(content.subarray(5, 11_000_001))).toBe(true);
    });

    test("refuses unencrypted data in the vault and more data than announced", async () => {
      const files = createVaultFiles(await open());
      const plain = await files.append(randomUUID(), 0, 100, partsOf(Buffer.alloc(100, "a")));
      expect(plain).toMatchObject({ end: 0, failure: { code: "badRequest" } });
      const long = await files.append(randomUUID(), 0, 100, partsOf(sealed(101)));
      expect(long).toMatchObject({ end: 0, failure: { code: "tooLarge" } });
      const id = randomUUID();
      await expect(files.writeText(id, 1000, partsOf(Buffer.from("plain text of somebody's")))).rejects.toMatchObject({
        code: "badRequest",
      });
      await expect(files.writeText(id, 1000, cutOff(sealed(50)))).rejects.toMatchObject({ code: "interrupted" });
    });

    test("replaces a vault item's text as a whole and removes all of the item", async () => {
      const files = createVaultFiles(await open());
      const id = randomUUID();
      for (const text of [sealed(900), sealed(500)]) {
        await files.writeText(id, 1000, partsOf(text));
        expect((await bytesOf(await files.text(id))).equals(text)).toBe(true);
      }
      expect((await allOf(files.list())).map((item) => item.id)).toEqual([id]);
      await files.remove(id);
      expect([await allOf(files.list()), await files.text(id), await files.content(id)]).toEqual([[], undefined, undefined]);
    });
  });
}
