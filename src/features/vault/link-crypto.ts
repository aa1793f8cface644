import { armor, Decrypter, Encrypter, type Identity } from "age-encryption";
import * as v from "valibot";
import { hexOf } from "#src/browser/hex.ts";
import { dearmored, VaultError } from "./encryption.ts";
import { VaultMeta } from "./meta.ts";

/** A passage of a shared text, without data that only concerns its owner. Times in seconds. */
const SharedPassage = v.object({
  start: v.number(),
  end: v.number(),
  text: v.string(),
  speaker: v.optional(v.string()),
  translation: v.optional(v.string()),
});

/** The content of a link, except for the audio. */
export const SharedAbout = v.object({
  ...VaultMeta.entries,
  /** Language codes of the speech ("auto": unknown) and of the translation. */
  language: v.nullable(v.string()),
  targetLanguage: v.nullable(v.string()),
  /** null: the link does not include the text. */
  passages: v.nullable(v.array(SharedPassage)),
});
export type SharedAbout = v.InferOutput<typeof SharedAbout>;

/** The sealed content of a link. `fileKey`: key of the single age file with its audio, hex; null: without audio. */
const LinkContent = v.object({ about: SharedAbout, fileKey: v.nullable(v.pipe(v.string(), v.regex(/^[\da-f]{32}$/))) });
const SealedContent = v.pipe(v.string(), v.parseJson(), LinkContent);

/**
 * Base-2 logarithms of scrypt's work factors. The key has 256 random bits, so stretching adds nothing. A passphrase
 * chosen by a user is stretched like that of the vault.
 */
const [keyWork, passphraseWork] = [4, 17];

const phraseOf = (key: string, passphrase: string | null) =>
  passphrase === null ? key : `${key} ${passphrase.normalize("NFC")}`;

/** @returns the data for the server, and the key that stays on the client: 43 characters of base64url */
export async function sealLink(
  content: { about: SharedAbout; fileKey: Uint8Array | null },
  passphrase: string | null,
  work = passphraseWork,
): Promise<{ sealed: string; key: string }> {
  const key = newKey();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(phraseOf(key, passphrase));
  encrypter.setScryptWorkFactor(passphrase === null ? keyWork : work);
  const fileKey = content.fileKey === null ? null : hexOf(content.fileKey);
  const text = JSON.stringify({ about: content.about, fileKey } satisfies v.InferInput<typeof LinkContent>);
  return { sealed: armor.encode(await encrypter.encrypt(text)), key };
}

/**
 * @param passphrase null for a link without one
 * @throws VaultError `wrongPassphrase`, also when the key is wrong; `tampered` when the content has an unknown
 *   version
 */
export async function openLink(
  sealed: string,
  key: string,
  passphrase: string | null,
): Promise<{ about: SharedAbout; identity: Identity | null }> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(phraseOf(key, passphrase));
  const text = await decrypter.decrypt(dearmored(sealed), "text").catch((cause: unknown) => {
    throw new VaultError("wrongPassphrase", { cause });
  });
  const content = v.safeParse(SealedContent, text);
  if (!content.success) throw new VaultError("tampered");
  const { about, fileKey } = content.output;
  if (fileKey === null) return { about, identity: null };
  const known = Uint8Array.from(fileKey.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return { about, identity: { unwrapFileKey: () => known } };
}

/** The maximum size of a header (bytes). A file for one recipient has about two hundred. */
export const maxHeader = 4096;

/**
 * The key of a single age file. It opens nothing else in the vault.
 * @param beginning the file's first bytes, with its whole header
 * @throws VaultError `tampered` when there is no header, or it belongs to another identity
 */
export async function fileKeyOf(identity: string, beginning: Uint8Array): Promise<Uint8Array> {
  const text = new TextDecoder("latin1").decode(beginning);
  const end = text.indexOf("\n", text.indexOf("\n--- ") + 1) + 1;
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  try {
    return await decrypter.decryptHeader(beginning.slice(0, end));
  } catch (cause) {
    throw new VaultError("tampered", { cause });
  }
}

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  // biome-ignore lint/plugin: 32 bytes.
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
