import { speechLanguages } from "#contract/index.ts";
import type { EngineChoice, Use } from "#server/speech/index.ts";
import { detectLanguage } from "#server/translation/index.ts";

interface Spoken {
  /** The engines that recognize the speech. */
  engines: { forLanguage(language: "auto", use: Use): Pick<EngineChoice, "language"> | undefined };
  use: Use;
  /** The recognized text. */
  text: string;
  /** A language that the text is not in, in any spelling: that of a conversation's other side. */
  except?: string;
}

const baseOf = (code: string) => code.slice(0, 2);

/**
 * The language to store with a recognized text. For "auto", it is the language that the engine recognizes instead, or
 * else the most likely language of the text.
 * @param wanted the user's choice
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
