import { speechLanguages } from "#contract/index.ts";
import type { EngineChoice, Use } from "#server/speech/index.ts";
import { detectLanguage } from "#server/translation/index.ts";

interface Spoken {
  /** What recognizes the speech. */
  engines: { forLanguage(language: "auto", use: Use): Pick<EngineChoice, "language"> | undefined };
  use: Use;
  /** The recognized text. */
  text: string;
  /** A language that it is not, in any spelling: the other side's of a conversation. */
  except?: string;
}

const baseOf = (code: string) => code.slice(0, 2);

/**
 * The language to store with a recognized text: where it was to be detected, the one that the engine recognizes instead, or else the one
 * that the text is most likely in. From then on it has a language everywhere.
 * @param wanted what the person chose
 * @returns "auto" for a text without letters, or in no language that is recognized here
 */
export async function spokenLanguage(wanted: string, { engines, use, text, except }: Spoken): Promise<string> {
  if (wanted !== "auto" || text.trim() === "") return wanted;
  const recognized = engines.forLanguage("auto", use)?.language ?? "auto";
  if (recognized !== "auto") return recognized;
  const known = speechLanguages.filter((code) => code !== "auto" && (except === undefined || baseOf(code) !== baseOf(except)));
  const found = await detectLanguage(text, new Set(known.map(baseOf)));
  return known.find((code) => baseOf(code) === found) ?? "auto";
}
