import { Decrypter, Encrypter, type Identity } from "age-encryption";
import { joinBytes } from "#speech/bytes.ts";
import { VaultError } from "./encryption.ts";

export type Enciphering = Awaited<ReturnType<typeof encipher>>;

/** Encrypts a file as it is read, and buffers nothing ahead of the reader. @param recipient "age1…" */
export async function encipher(recipient: string, source: Blob) {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const cipher = await encrypter.encrypt(source.stream());
  const reader = cipher.getReader();
  /** Encrypted data beyond the last piece, less than one of the format's chunks. */
  let ahead: Uint8Array = new Uint8Array(0);
  return {
    /** Size of the encrypted file in bytes. */
    size: cipher.size(source.size),
    /** Reads the next `most` bytes; fewer at the end, and none after it. @throws VaultError `unreadable` */
    read: async (most: number) => {
      const piece = new Uint8Array(most);
      let length = 0;
      while (length < most) {
        if (ahead.length === 0) {
          const { value, done } = await reader.read().catch((cause: unknown) => {
            throw new VaultError("unreadable", { cause });
          });
          if (done) break;
          ahead = value;
        }
        const next = ahead.subarray(0, most - length);
        piece.set(next, length);
        length += next.length;
        ahead = ahead.subarray(next.length);
      }
      return length === most ? piece : piece.slice(0, length);
    },
    cancel: () => reader.cancel(),
  };
}

export type Deciphering = ReturnType<typeof decipher>;

/** Decrypts a file as it is written. The output is authenticated; `end` verifies that it is complete. */
export function decipher(identity: string | Identity) {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  let ready: Uint8Array[] = [];
  const pump = async () => {
    const plain = await decrypter.decrypt(readable);
    const reader = plain.getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      ready.push(value);
    }
  };
  const pumping = pump();
  const failing = pumping.then(
    () => new Promise<never>(() => {}),
    (cause: unknown) => Promise.reject(new VaultError("tampered", { cause })),
  );
  failing.catch(() => {});
  const take = () => {
    const parts = ready;
    ready = [];
    return joinBytes(parts);
  };
  const orFail = async (work: Promise<unknown>) => {
    work.catch(() => {});
    // The pump has the real error; the writer only reports that the reader is gone.
    await Promise.race([work.catch(() => failing), failing]);
  };
  return {
    /** Writes the next bytes. @returns the data decrypted so far. @throws VaultError `tampered` */
    write: async (bytes: Uint8Array) => {
      await orFail(writer.write(bytes));
      return take();
    },
    /** Ends the input. @returns the rest. @throws VaultError `tampered` when the input was truncated */
    end: async () => {
      await orFail(writer.close());
      await orFail(pumping);
      return take();
    },
  };
}
