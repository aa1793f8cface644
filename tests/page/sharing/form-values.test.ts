import { describe, expect, test } from "vitest";
import { changeIn, dayOf, wantedIn } from "#src/features/sharing/form-values.ts";

function form(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

const blank = { name: "", day: "", passphrase: "" };

describe("the form of a link", () => {
  test("asks for what is ticked, to the end of the day where the person is; empty fields are no end and no passphrase", () => {
    expect(wantedIn(form(blank))).toEqual({
      name: "",
      audio: false,
      translation: false,
      download: false,
      expiresAt: null,
      passphrase: null,
    });
    const wanted = wantedIn(form({ name: "Anna", audio: "on", download: "on", day: "2026-03-01", passphrase: "boats" }));
    expect(wanted).toMatchObject({ name: "Anna", audio: true, translation: false, download: true, passphrase: "boats" });
    expect(wanted.expiresAt).toBe(new Date(2026, 2, 1, 23, 59, 59, 999).toISOString());
    expect(wantedIn(form({ ...blank, day: "no day" })).expiresAt).toBeNull();
  });

  test("sends neither an end nor a passphrase that is as it was, so that a link that has ended can be renamed", () => {
    const expiresAt = new Date(2020, 0, 31, 23, 59, 59, 999).toISOString();
    const day = dayOf(expiresAt);
    expect(day).toBe("2020-01-31");
    expect(changeIn(form({ ...blank, name: "B", day }), { expiresAt })).toEqual({
      name: "B",
      audio: false,
      translation: false,
      download: false,
    });
    expect(changeIn(form({ ...blank, day: "" }), { expiresAt })).toMatchObject({ expiresAt: null });
    expect(changeIn(form({ ...blank, day: "2026-03-01" }), { expiresAt: null })).toHaveProperty("expiresAt");
    expect(changeIn(form({ ...blank, passphrase: "boats" }), { expiresAt: null })).toMatchObject({ passphrase: "boats" });
    // No passphrase any more, whatever stands in its field.
    expect(changeIn(form({ ...blank, passphrase: "boats", unlocked: "on" }), { expiresAt: null })).toMatchObject({
      passphrase: null,
    });
  });
});
