import { describe, expect, test } from "vitest";
import { createStore } from "#src/browser/store.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

/** A store per owner whose values are names; the log has what happened to each. */
function open({ waits = false } = {}) {
  const owner = createStore<string | null>("anna");
  const log: string[] = [];
  const signedOut = (kept: string) => void log.push(`${kept} waits`);
  const kept = perOwner<string>({ end: (one) => void log.push(`${one} ended`), owner, ...(waits && { signedOut }) });
  return { owner, kept, log, make: (id: string | null) => `${id}'s` };
}

describe("object that belongs to a person", () => {
  test("the object that belongs to a person stays the same while they are signed in", () => {
    const { kept, make } = open();
    expect([kept.mine(), kept.opened()]).toEqual([undefined, undefined]);
    expect([kept.open(make), kept.open(() => "another"), kept.mine()]).toEqual(["anna's", "anna's", "anna's"]);
  });

  test.each(["ben", null])("a user's actors end with their session when it is %j", (next) => {
    const { owner, kept, log, make } = open();
    kept.open(make);
    owner.set(next);
    expect([log, kept.mine(), kept.opened()]).toEqual([["anna's ended"], undefined, undefined]);
    expect(kept.open(make)).toBe(`${next}'s`);
  });

  test("the object that belongs to a person may wait for its owner through a sign-out, and ends for another person", () => {
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

  test("the object that belongs to a person is ended once when replaced", () => {
    const { owner, kept, log, make } = open();
    kept.open(make);
    expect(kept.replace(() => "another")).toBe("another");
    kept.close();
    kept.close();
    owner.set("ben");
    expect(log).toEqual(["anna's ended", "another ended"]);
  });

  test("the object that belongs to a person belongs to nobody before a sign-in", () => {
    const { owner, kept, log, make } = open();
    owner.set(null);
    kept.open(make);
    owner.set("anna");
    expect(log).toEqual(["null's ended"]);
  });
});
