import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create, type Font } from "fontkit";

/** A font of which a document embeds the letters that it uses. */
export interface Face {
  name: string;
  bytes: Buffer;
  /** The font's name in a collection. */
  member: string | undefined;
  /**
   * Its letters are not drawn in their written order, so the text itself is added beside them, for copying and
   * searching.
   */
  shaped: boolean;
  has(codePoint: number): boolean;
}

/** Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, most of Arabic and Lao, and the common symbols. */
const base = "dejavu-fonts-ttf/ttf/DejaVuSans.ttf";

const noto = (script: string) => `@fontsource/noto-sans-${script}/files/noto-sans-${script}-${script}-400-normal.woff`;
/**
 * A font for each further script of the product's languages, with its marks. Noto's fonts of three scripts have marks
 * that fontkit can't place.
 */
const scripts: readonly { file: string; of: RegExp; shaped: boolean }[] = [
  { file: noto("devanagari"), of: /\p{scx=Deva}/u, shaped: true },
  { file: noto("bengali"), of: /\p{scx=Beng}/u, shaped: true },
  { file: noto("gujarati"), of: /\p{scx=Gujr}/u, shaped: true },
  { file: "@fontsource/mukta-mahee/files/mukta-mahee-gurmukhi-400-normal.woff", of: /\p{scx=Guru}/u, shaped: true },
  { file: noto("kannada"), of: /\p{scx=Knda}/u, shaped: true },
  { file: noto("khmer"), of: /\p{scx=Khmr}/u, shaped: true },
  { file: "@fontsource/manjari/files/manjari-malayalam-400-normal.woff", of: /\p{scx=Mlym}/u, shaped: true },
  { file: noto("myanmar"), of: /\p{scx=Mymr}/u, shaped: true },
  { file: "@fontsource/baloo-bhaina-2/files/baloo-bhaina-2-oriya-400-normal.woff", of: /\p{scx=Orya}/u, shaped: true },
  { file: noto("sinhala"), of: /\p{scx=Sinh}/u, shaped: true },
  { file: noto("tamil"), of: /\p{scx=Taml}/u, shaped: true },
  { file: noto("telugu"), of: /\p{scx=Telu}/u, shaped: true },
  { file: noto("thai"), of: /\p{scx=Thai}/u, shaped: true },
  { file: noto("ethiopic"), of: /\p{scx=Ethi}/u, shaped: false },
];

/** For Arabic letters that the base font does not have, such as Urdu's. */
const arabic = {
  file: "@fontsource/noto-naskh-arabic/files/noto-naskh-arabic-arabic-400-normal.woff",
  of: /\p{scx=Arab}/u,
  shaped: false,
};

/**
 * Chinese, Japanese and Korean, at the path of Debian's fonts-wqy-microhei (scripts/tools.mjs): every npm package for
 * them has more than 50 MB.
 */
const eastAsian = { file: "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc", name: "WenQuanYiMicroHei" };
const isEastAsian = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\uff00-\uffef]/u;

const loaded = new Map<string, Face | undefined>();

/** Stands where no font has a letter. */
export const missing = "□";

/** Whether a text is in Arabic letters that the base does not have all of: letters of two fonts do not join. */
export function needsArabic(text: string): boolean {
  if (!arabic.of.test(text)) return false;
  const usual = load(base, false);
  return [...text].some((character) => arabic.of.test(character) && usual?.has(character.codePointAt(0) ?? 0) !== true);
}

/**
 * The font for a character.
 * @param isArabic the result of `needsArabic` for its text
 * @param before the font of the previous character, which stays for marks and symbols that it has
 * @returns undefined if no font has it
 */
export function faceFor(character: string, before: Face | undefined, isArabic = false): Face | undefined {
  const codePoint = character.codePointAt(0) ?? 0;
  if (before?.has(codePoint) === true && joins.test(character)) return before;
  const script = isArabic && arabic.of.test(character) ? arabic : scripts.find(({ of }) => of.test(character));
  const own = script === undefined ? undefined : load(script.file, script.shaped);
  if (own?.has(codePoint) === true) return own;
  const usual = load(base, false);
  if (usual?.has(codePoint) === true) return usual;
  const wide = isEastAsian.test(character) ? load(eastAsian.file, false, eastAsian.name) : undefined;
  return wide?.has(codePoint) === true ? wide : undefined;
}

/** Spaces, marks, and what joins or parts letters. */
const joins = /[\p{M}\p{Cf}\p{Zs}]/u;

function load(file: string, shaped: boolean, collected?: string): Face | undefined {
  if (!loaded.has(file)) loaded.set(file, read(file, shaped, collected));
  return loaded.get(file);
}

function read(file: string, shaped: boolean, collected: string | undefined): Face | undefined {
  const path = file.startsWith("/") ? file : createRequire(import.meta.url).resolve(file);
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  const parsed = create(bytes, collected);
  const font: Font | null = "fonts" in parsed ? parsed.getFont(collected ?? "") : parsed;
  if (font === null) return undefined;
  return { name: file, bytes, member: collected, shaped, has: (codePoint) => font.hasGlyphForCodePoint(codePoint) };
}
