import { describe, expect, test } from "vitest";
import { changeIn, dayOf } from "#src/features/sharing/form-values.ts";

function form(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

const blank = { name: "", day: "", passphrase: "" };

describe("form of a link", () => {
  test("sends neither an unchanged expiry nor an unchanged passphrase", () => {
    const expiresAt = new Date(2020, 0, 31, 23, 59, 59, 999).toISOString();
    const day = dayOf(expiresAt);
    expect(day).toBe("2020-01-31");
    expect(changeIn(form({ ...blank, name: "B", day }), { expiresAt })).toEqual({ name: "B" });
    for (const none of ["", "no day"])
      expect(changeIn(form({ ...blank, day: none }), { expiresAt })).toMatchObject({ expiresAt: null });
    expect(changeIn(form({ ...blank, day: "2026-03-01" }), { expiresAt: null })).toMatchObject({
      expiresAt: new Date(2026, 2, 1, 23, 59, 59, 999).toISOString(),
    });
    expect(changeIn(form({ ...blank, passphrase: "boats" }), { expiresAt: null })).toMatchObject({ passphrase: "boats" });
    // The checkbox removes the passphrase, whatever is in its field.
    expect(changeIn(form({ ...blank, passphrase: "boats", unlocked: "on" }), { expiresAt: null })).toMatchObject({
      passphrase: null,
    });
  });
});
