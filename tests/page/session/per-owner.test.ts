import { describe, expect, test } from "vitest";
import { createStore } from "#src/browser/store.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

/** One that keeps names, and what became of each. */
function open({ waits = false } = {}) {
  const owner = createStore<string | null>("anna");
  const log: string[] = [];
  const signedOut = (kept: string) => void log.push(`${kept} waits`);
  const kept = perOwner<string>({ end: (one) => void log.push(`${one} ended`), owner, ...(waits && { signedOut }) });
  return { owner, kept, log, make: (id: string | null) => `${id}'s` };
}

describe("what is kept for a person", () => {
  test("is the same as long as they are signed in", () => {
    const { kept, make } = open();
    expect([kept.mine(), kept.opened()]).toEqual([undefined, undefined]);
    expect([kept.open(make), kept.open(() => "another"), kept.mine()]).toEqual(["anna's", "anna's", "anna's"]);
  });

  test.each(["ben", null])("ends with their session, when %j is there", (next) => {
    const { owner, kept, log, make } = open();
    kept.open(make);
    owner.set(next);
    expect([log, kept.mine(), kept.opened()]).toEqual([["anna's ended"], undefined, undefined]);
    expect(kept.open(make)).toBe(`${next}'s`);
  });

  test("waits for its owner where it may, hears of the sign-out once, and ends when somebody else comes", () => {
    const { owner, kept, log, make } = open({ waits: true });
    kept.open(make);
    owner.set(null);
    expect([log, kept.mine(), kept.opened()]).toEqual([["anna's waits"], undefined, "anna's"]);
    owner.set("anna");
    expect(kept.open(() => "another")).toBe("anna's");
    owner.set(null);
    owner.set("ben");
    expect(log).toEqual(["anna's waits", "anna's waits", "anna's ended"]);
    expect(kept.opened()).toBeUndefined();
  });

  test("gives way to another one, and is ended once", () => {
    const { owner, kept, log, make } = open();
    kept.open(make);
    expect(kept.replace(() => "another")).toBe("another");
    kept.close();
    kept.close();
    owner.set("ben");
    expect(log).toEqual(["anna's ended", "another ended"]);
  });

  test("is nobody's before somebody has signed in", () => {
    const { owner, kept, log, make } = open();
    owner.set(null);
    kept.open(make);
    owner.set("anna");
    expect(log).toEqual(["null's ended"]);
  });
});
