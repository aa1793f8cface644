import { is } from "valibot";
import { InterfaceLanguage } from "#contract/index.ts";

/** A language as the contract's type, for emails from the server; undefined if the contract does not have it. */
export const interfaceLanguageOf = (code: string): InterfaceLanguage | undefined =>
  is(InterfaceLanguage, code) ? code : undefined;
