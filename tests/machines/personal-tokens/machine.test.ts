import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { CreatedPersonalToken, NewPersonalToken, PersonalToken } from "#contract/index.ts";
import type { PersonalTokensEmitted, PersonalTokensEvent } from "#machines/personal-tokens/events.ts";
import {
  personalTokensMachine,
  selectAsked,
  selectCreated,
  selectFailure,
  selectIsCreating,
  selectIsLoading,
  selectIsOpen,
  selectIsUnavailable,
  selectIsWriting,
  selectLoadError,
  selectRevocations,
  selectRevoking,
  selectTokens,
} from "#machines/personal-tokens/machine.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

const at = "2026-03-01T12:00:00.000Z";
const token = (id: string): PersonalToken => ({
  id,
  name: id,
  scopes: ["transcriptions:read"],
  createdAt: at,
  expiresAt: at,
  lastUsedAt: null,
});
const wanted: NewPersonalToken = { name: "import", scopes: ["transcriptions:write"], days: 30, password: "correct horse" };

function start() {
  const load = answering<readonly PersonalToken[]>();
  const create = answering<CreatedPersonalToken, NewPersonalToken>();
  const revoke = answering<void, { id: string }>();
  const wakeUps = talking<PersonalTokensEvent, PersonalTokensEvent>();
  const machine = personalTokensMachine.provide({
    actors: { load: load.logic, create: create.logic, revoke: revoke.logic, wakeUps: wakeUps.logic },
  });
  const actor = stopsAfterTest(createActor(machine));
  const emitted: PersonalTokensEmitted[] = [];
  actor.on("token.revoked", (event) => emitted.push(event));
  actor.start();
  const names = () => selectTokens(actor.getSnapshot()).map(({ id }) => id);
  return { actor, load, create, revoke, wakeUps, emitted, names, now: () => actor.getSnapshot() };
}

async function opened(...ids: string[]) {
  const all = start();
  await all.load.last().resolve(ids.map(token));
  return all;
}

describe("personal access tokens", () => {
  test("are made from a form, whose secret is shown until it is kept, and whose password is not kept", async () => {
    const { actor, create, load, names, now } = await opened("old");
    actor.send({ type: "new.requested" });
    expect(selectIsWriting(now())).toBe(true);
    actor.send({ type: "creation.requested", wanted: { ...wanted, name: " " } });
    expect(selectFailure(now())).toBe("noName");
    actor.send({ type: "creation.requested", wanted: { ...wanted, scopes: [] } });
    expect([selectFailure(now()), create.asked.length]).toEqual(["noScope", 0]);
    actor.send({ type: "creation.requested", wanted });
    expect([create.inputs(), selectFailure(now())]).toEqual([[wanted], null]);
    await create.last().resolve({ token: "secret", ...token("new") });
    expect([selectCreated(now())?.token, names()]).toEqual(["secret", ["new", "old"]]);
    expect(JSON.stringify(now().context)).not.toContain("correct horse");
    actor.send({ type: "secret.dismissed" });
    expect(JSON.stringify(now().context)).not.toContain("secret");
    await load.last().resolve([token("new")]);
    expect(names()).toEqual(["new"]);
  });

  test("that can't be made leave the form open with the reason", async () => {
    const { actor, create, now } = await opened();
    actor.send({ type: "new.requested" });
    actor.send({ type: "creation.requested", wanted });
    await create.last().reject("wrongPassword");
    expect([selectIsWriting(now()), selectFailure(now())]).toEqual([true, "wrongPassword"]);
    actor.send({ type: "new.dismissed" });
    expect([selectIsWriting(now()), selectFailure(now())]).toEqual([false, null]);
  });

  test("tokens are revoked after a yes; one that was revoked elsewhere is seen to be gone", async () => {
    const { actor, revoke, load, emitted, names, now } = await opened("one", "two");
    actor.send({ type: "revocation.requested", id: "one" });
    expect([selectAsked(now())?.id, revoke.asked.length]).toEqual(["one", 0]);
    actor.send({ type: "revocation.dismissed" });
    actor.send({ type: "revocation.requested", id: "one" });
    actor.send({ type: "revocation.confirmed" });
    await revoke.last().resolve();
    expect([names(), emitted.length]).toEqual([["two"], 1]);
    actor.send({ type: "revocation.requested", id: "two" });
    actor.send({ type: "revocation.confirmed" });
    await revoke.last().reject("notFound");
    expect(selectFailure(now())).toBe("notFound");
    await load.last().resolve([]);
    expect(names()).toEqual([]);
  });

  test("tokens are asked for again when the page is seen again", async () => {
    const { load, wakeUps, names } = await opened("one");
    wakeUps.say({ type: "page.resumed" });
    await load.last().resolve([]);
    expect(names()).toEqual([]);
    wakeUps.say({ type: "page.resumed" });
    await load.last().reject("network");
    wakeUps.say({ type: "page.resumed" });
    await load.last().resolve([token("two")]);
    expect(names()).toEqual(["two"]);
  });

  test("of a server that has none are nothing; what can't be loaded is when the network is back", async () => {
    const without = start();
    await without.load.last().reject("notOffered");
    expect(selectIsUnavailable(without.now())).toBe(true);
    const later = start();
    await later.load.last().reject("network");
    expect(selectLoadError(later.now())).toBe("network");
    later.wakeUps.say({ type: "page.resumed" });
    await later.load.last().resolve([token("one")]);
    expect(later.names()).toEqual(["one"]);
  });
});

test("what is under way with several tokens is seen, and how many were revoked", async () => {
  const { actor, create, revoke, names, now } = await opened("one", "two", "three");
  expect([selectIsLoading(now()), selectIsOpen(now()), selectRevocations(now())]).toEqual([false, true, 0]);
  actor.send({ type: "new.requested" });
  expect([selectIsWriting(now()), selectIsCreating(now())]).toEqual([true, false]);
  actor.send({ type: "creation.requested", wanted });
  expect([selectIsWriting(now()), selectIsCreating(now())]).toEqual([true, true]);
  await create.last().reject("network");
  expect([selectIsWriting(now()), selectIsCreating(now()), selectFailure(now())]).toEqual([true, false, "network"]);
  actor.send({ type: "new.dismissed" });
  for (const [id, left] of [
    ["two", ["one", "three"]],
    ["one", ["three"]],
  ] as const) {
    actor.send({ type: "revocation.requested", id });
    expect([selectAsked(now())?.id, selectRevoking(now())]).toEqual([id, null]);
    actor.send({ type: "revocation.confirmed" });
    expect([selectAsked(now()), selectRevoking(now())]).toEqual([null, id]);
    await revoke.last().resolve();
    expect([names(), selectRevoking(now())]).toEqual([left, null]);
  }
  expect(selectRevocations(now())).toBe(2);
});
