import { armor, type Identity, identityToRecipient } from "age-encryption";
import {
  createKeys,
  dearmored,
  decryptWith,
  encryptFor,
  openWithPassphrase,
  openWithRecoveryKey,
  sealIdentity,
  VaultError,
} from "./encryption.ts";
import { fileKeyOf, openLink, type SharedAbout, sealLink } from "./link-crypto.ts";
import { searchedText } from "./searched-text.ts";
import { type Deciphering, decipher, type Enciphering, encipher } from "./streams.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A worker's tasks, by name. */
export interface TaskInputs {
  create: { passphrase: string };
  unlock: { sealed: string; passphrase: string; recipient: string };
  recover: { recoverySealed: string; recoveryKey: string; recipient: string };
  reseal: { passphrase: string };
  /** Asks for the passphrase again, so that an attacker at an unlocked vault can't take it over. */
  change: { sealed: string; passphrase: string; next: string };
  seal: { recipient: string; text: string };
  sealBytes: { recipient: string; bytes: Bytes };
  open: { armored: string };
  openBytes: { bytes: Bytes };
  /** Prepares a text for the search. In the worker, because long texts take too long on the page's thread. */
  openSearched: { bytes: Bytes };
  /** `beginning`: the first bytes of the encrypted audio, for a link with audio. */
  makeLink: { about: SharedAbout; beginning: Bytes | null; passphrase: string | null };
  /** Holds the link's key for decrypting the audio, in place of a vault's identity. */
  openLink: { sealed: string; key: string; passphrase: string | null };
  beginEnciphering: { recipient: string; source: Blob };
  readCipher: { stream: number; most: number };
  endEnciphering: { stream: number };
  beginDeciphering: Record<never, never>;
  writeCipher: { stream: number; bytes: Bytes };
  endDeciphering: { stream: number };
}

export type TaskName = keyof TaskInputs;
export type TaskOutputs = { [Name in TaskName]: Awaited<ReturnType<ReturnType<typeof createTasks>[Name]>> };
export type Tasks = { [Name in TaskName]: (input: TaskInputs[Name]) => Promise<TaskOutputs[Name]> };

/**
 * All operations with keys. Holds at most one vault's identity, until the worker ends. Secrets stay in the worker,
 * except for the recovery key and the key of a link, which users receive.
 * @param work base-2 logarithm of scrypt's work factor; default: about a second
 */
export function createTasks(work?: number) {
  let held: string | undefined;
  let linked: Identity | undefined;
  let streams = 0;
  const ciphers = new Map<number, Enciphering>();
  const plains = new Map<number, Deciphering>();
  const identity = () => {
    if (held === undefined) throw new VaultError("locked");
    return held;
  };
  /**
   * Checks the recipient, because a malicious server could replace it, and the next recording would be encrypted for
   * somebody else.
   */
  const hold = async (opened: string, recipient: string) => {
    if ((await identityToRecipient(opened)) !== recipient) throw new VaultError("tampered");
    held = opened;
  };
  return {
    create: async ({ passphrase }) => {
      const keys = await createKeys(passphrase, work);
      held = keys.identity;
      return { vault: keys.vault, recoveryKey: keys.recoveryKey };
    },
    unlock: async ({ sealed, passphrase, recipient }) => hold(await openWithPassphrase(sealed, passphrase), recipient),
    recover: async ({ recoverySealed, recoveryKey, recipient }) =>
      hold(await openWithRecoveryKey(recoverySealed, recoveryKey), recipient),
    reseal: async ({ passphrase }) => sealIdentity(identity(), passphrase, work),
    change: async ({ sealed, passphrase, next }) => {
      await openWithPassphrase(sealed, passphrase);
      return sealIdentity(identity(), next, work);
    },
    seal: async ({ recipient, text }) => armor.encode(await encryptFor(recipient, text)),
    sealBytes: async ({ recipient, bytes }) => new Uint8Array(await encryptFor(recipient, bytes)),
    open: async ({ armored }) => new TextDecoder().decode(await decryptWith(identity(), dearmored(armored))),
    openBytes: async ({ bytes }) => new Uint8Array(await decryptWith(identity(), bytes)),
    openSearched: async ({ bytes }) => searchedText(new TextDecoder().decode(await decryptWith(identity(), bytes))),
    makeLink: async ({ about, beginning, passphrase }) => {
      const fileKey = beginning === null ? null : await fileKeyOf(identity(), beginning);
      return sealLink({ about, fileKey }, passphrase, work);
    },
    openLink: async ({ sealed, key, passphrase }) => {
      const opened = await openLink(sealed, key, passphrase);
      linked = opened.identity ?? undefined;
      return opened.about;
    },
    beginEnciphering: async ({ recipient, source }) => {
      const cipher = await encipher(recipient, source);
      const stream = ++streams;
      ciphers.set(stream, cipher);
      return { stream, size: cipher.size };
    },
    readCipher: async ({ stream, most }) => (await ciphers.get(stream)?.read(most)) ?? new Uint8Array(0),
    endEnciphering: async ({ stream }) => {
      await ciphers.get(stream)?.cancel();
      ciphers.delete(stream);
    },
    beginDeciphering: async () => {
      const stream = ++streams;
      plains.set(stream, decipher(linked ?? identity()));
      return { stream };
    },
    writeCipher: async ({ stream, bytes }) => plainOf(plains, stream).write(bytes),
    endDeciphering: async ({ stream }) => {
      const plain = plainOf(plains, stream);
      plains.delete(stream);
      return plain.end();
    },
  } satisfies { [Name in TaskName]: (input: TaskInputs[Name]) => Promise<unknown> };
}

function plainOf(plains: ReadonlyMap<number, Deciphering>, stream: number): Deciphering {
  const plain = plains.get(stream);
  if (plain === undefined) throw new VaultError("locked");
  return plain;
}

/** A message from the page to the worker. */
export interface Question<Name extends TaskName> {
  id: number;
  name: Name;
  input: TaskInputs[Name];
}

/** The worker's answer: the task's output, or an error code. */
export type Answer = { id: number; output: unknown } | { id: number; code: string };
