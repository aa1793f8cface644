import { armor, Decrypter, Encrypter, type Identity } from "age-encryption";
import * as v from "valibot";
import { hexOf } from "#src/browser/hex.ts";
import { dearmored, VaultError } from "./encryption.ts";
import { VaultMeta } from "./meta.ts";

/** A passage of a shared text: without what only its owner is concerned with. Times in seconds. */
const SharedPassage = v.object({
  start: v.number(),
  end: v.number(),
  text: v.string(),
  speaker: v.optional(v.string()),
  translation: v.optional(v.string()),
});

/** What a link shows besides the sound. */
export const SharedAbout = v.object({
  ...VaultMeta.entries,
  /** Codes of languages: of what was said ("auto": not known), and of the translation. */
  language: v.nullable(v.string()),
  targetLanguage: v.nullable(v.string()),
  /** null: the link is without the text. */
  passages: v.nullable(v.array(SharedPassage)),
});
export type SharedAbout = v.InferOutput<typeof SharedAbout>;

/** What is sealed in a link. `fileKey`: of the one age file that is its sound, hex; null: it is without. */
const LinkContent = v.object({ about: SharedAbout, fileKey: v.nullable(v.pipe(v.string(), v.regex(/^[\da-f]{32}$/))) });
const SealedContent = v.pipe(v.string(), v.parseJson(), LinkContent);

/** The key is 256 random bits: stretching adds nothing to it. What somebody chose is stretched as the vault's own passphrase is (base-2 logarithms). */
const [keyWork, passphraseWork] = [4, 17];

const phraseOf = (key: string, passphrase: string | null) =>
  passphrase === null ? key : `${key} ${passphrase.normalize("NFC")}`;

/** @returns what goes to the server, and the key that does not: 43 characters of base64url */
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
 * @param passphrase null for a link that takes none
 * @throws VaultError `wrongPassphrase`: or the key is wrong; `tampered` when the content is of no known version
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

/** The longest header that is looked for (bytes): that of a file for one recipient has some two hundred. */
export const maxHeader = 4096;

/**
 * The key of one age file alone: it opens nothing else in the vault.
 * @param beginning the file's first bytes, with its whole header
 * @throws VaultError `tampered` when there is none, or it is not this identity's
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
