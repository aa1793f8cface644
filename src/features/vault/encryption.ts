import { armor, Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import type { NewVault } from "#contract/index.ts";

/**
 * The base-2 logarithm of scrypt's work factor. 2^17 takes 128 MiB and about a second in a browser, for the owner and
 * for an attacker alike.
 */
const passphraseWork = 17;

/** Errors when opening a vault. The codes are keys of the locale files (`vault:problem.*`). */
export class VaultError extends Error {
  readonly code: VaultProblem;
  constructor(code: VaultProblem, options?: ErrorOptions) {
    super(`The vault: ${code}`, options);
    this.code = code;
  }
}
export type VaultProblem = "wrongPassphrase" | "wrongRecoveryKey" | "tampered" | "locked" | "unreadable" | "different";

/** A new identity, with the data that the server may store. */
export interface NewKeys {
  /** Secret: decrypts everything in the vault. */
  identity: string;
  /** Secret: decrypts `recoverySealed`. Shown once. */
  recoveryKey: string;
  vault: NewVault;
}

export async function createKeys(passphrase: string, work = passphraseWork): Promise<NewKeys> {
  const [identity, recoveryKey] = [await generateX25519Identity(), await generateX25519Identity()];
  const forRecovery = await encryptFor(await identityToRecipient(recoveryKey), keyFile(identity));
  const vault = {
    recipient: await identityToRecipient(identity),
    sealed: await sealIdentity(identity, passphrase, work),
    recoverySealed: armor.encode(forRecovery),
  };
  return { identity, recoveryKey, vault };
}

/** Encrypts like `age -p`. @returns an armored age file */
export async function sealIdentity(identity: string, passphrase: string, work = passphraseWork): Promise<string> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(normalized(passphrase));
  encrypter.setScryptWorkFactor(work);
  return armor.encode(await encrypter.encrypt(keyFile(identity)));
}

/** @throws VaultError `wrongPassphrase` */
export async function openWithPassphrase(sealed: string, passphrase: string): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(normalized(passphrase));
  return openSealed(decrypter, sealed, "wrongPassphrase");
}

/** @throws VaultError `wrongRecoveryKey` */
export async function openWithRecoveryKey(recoverySealed: string, recoveryKey: string): Promise<string> {
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(recoveryKey.replace(/\s+/g, "").toUpperCase());
  } catch (cause) {
    throw new VaultError("wrongRecoveryKey", { cause });
  }
  return openSealed(decrypter, recoverySealed, "wrongRecoveryKey");
}

async function openSealed(decrypter: Decrypter, sealed: string, problem: VaultProblem): Promise<string> {
  try {
    const file = await decrypter.decrypt(armor.decode(sealed), "text");
    return file.trim();
  } catch (cause) {
    throw new VaultError(problem, { cause });
  }
}

/** @throws VaultError `tampered` when it is not an armored file */
export function dearmored(text: string): Uint8Array {
  try {
    return armor.decode(text);
  } catch (cause) {
    throw new VaultError("tampered", { cause });
  }
}

/** Normalizes Unicode, so that every keyboard yields the same bytes. */
const normalized = (passphrase: string): string => passphrase.normalize("NFC");
/** The format of `age -i`: one key in each line. */
const keyFile = (identity: string): string => `${identity}\n`;

/** @param recipient "age1…" */
export async function encryptFor(recipient: string, plain: Uint8Array | string): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter.encrypt(plain);
}

/** @throws VaultError `tampered` when it was changed, truncated, or encrypted for somebody else */
export async function decryptWith(identity: string, cipher: Uint8Array): Promise<Uint8Array> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  try {
    return await decrypter.decrypt(cipher);
  } catch (cause) {
    throw new VaultError("tampered", { cause });
  }
}
