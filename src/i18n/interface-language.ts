import { is } from "valibot";
import { InterfaceLanguage } from "#contract/index.ts";

/** A language as the contract has it, for what the server writes to a person; undefined for one that it does not know. */
export const interfaceLanguageOf = (code: string): InterfaceLanguage | undefined =>
  is(InterfaceLanguage, code) ? code : undefined;
