import { expect, test } from "vitest";
import { baseLanguage } from "#src/i18n/base-language.ts";

test.each([
  ["pt-BR", "pt"],
  ["pt_BR", "pt"],
  ["pt-br", "pt"],
  ["EN", "en"],
  ["zh-Hant-TW", "zh"],
  ["auto", "auto"],
  ["", ""],
])("removes the region from %j: %j", (code, base) => {
  expect(baseLanguage(code)).toBe(base);
});
