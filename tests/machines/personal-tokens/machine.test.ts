import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { NewPersonalToken, PersonalToken } from "#contract/index.ts";
import type { Created, Drafted, Listed } from "#machines/collection/events.ts";
import {
  type LoadingEvent,
  selectFailure,
  selectHasFailed,
  selectIsLoading,
  selectIsOpen,
  selectIsUnavailable,
} from "#machines/collection/loading.ts";
import {
  selectAsked,
  selectCreated,
  selectIsCreating,
  selectIsWriting,
  selectItems,
  selectRemoving,
  selectReturns,
} from "#machines/collection/selectors.ts";
import { personalTokensMachine, type TokenTypes } from "#machines/personal-tokens/machine.ts";
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
const draft: NewPersonalToken = { name: "import", scopes: ["transcriptions:write"], days: 30, password: "correct horse" };

function start() {
  const load = answering<Listed<PersonalToken>>();
  const create = answering<Created<TokenTypes>, Drafted<TokenTypes>>();
  const remove = answering<void, { id: string }>();
  const wakeUps = talking<LoadingEvent>();
  const machine = personalTokensMachine.provide({
    actors: { load: load.logic, create: create.logic, remove: remove.logic, wakeUps: wakeUps.logic },
  });
  const actor = stopsAfterTest(createActor(machine));
  const emitted: string[] = [];
  actor.on("item.removed", ({ type }) => emitted.push(type));
  actor.start();
  const names = () => selectItems(actor.getSnapshot()).map(({ id }) => id);
  return { actor, load, create, remove, wakeUps, emitted, names, now: () => actor.getSnapshot() };
}

async function opened(...ids: string[]) {
  const all = start();
  await all.load.last().resolve({ items: ids.map(token) });
  return all;
}

describe("personal access tokens", () => {
  test("creates a token by a form, shows its secret until it is dismissed, and stores no password", async () => {
    const { actor, create, load, names, now } = await opened("old");
    actor.send({ type: "creation.requested" });
    expect(selectIsWriting(now())).toBe(true);
    actor.send({ type: "creation.submitted", draft: { ...draft, name: " " } });
    expect(selectFailure(now())).toBe("noName");
    actor.send({ type: "creation.submitted", draft: { ...draft, scopes: [] } });
    expect([selectFailure(now()), create.asked.length]).toEqual(["noScope", 0]);
    actor.send({ type: "creation.submitted", draft });
    expect([create.inputs(), selectFailure(now())]).toEqual([[{ draft }], null]);
    await create.last().resolve({ secret: "secret", item: token("new") });
    expect([selectCreated(now())?.secret, names()]).toEqual(["secret", ["new", "old"]]);
    expect(JSON.stringify(now().context)).not.toContain("correct horse");
    actor.send({ type: "secret.dismissed" });
    expect(JSON.stringify(now().context)).not.toContain("secret");
    await load.last().resolve({ items: [token("new")] });
    expect(names()).toEqual(["new"]);
  });

  test("leaves the form open with the reason when a token can't be created", async () => {
    const { actor, create, now } = await opened();
    actor.send({ type: "creation.requested" });
    actor.send({ type: "creation.submitted", draft });
    await create.last().reject("wrongPassword");
    expect([selectIsWriting(now()), selectFailure(now())]).toEqual([true, "wrongPassword"]);
    actor.send({ type: "creation.dismissed" });
    expect([selectIsWriting(now()), selectFailure(now())]).toEqual([false, null]);
  });

  test("revokes a token after confirmation, and notices one that was revoked elsewhere", async () => {
    const { actor, remove, load, emitted, names, now } = await opened("one", "two");
    actor.send({ type: "removal.requested", id: "one" });
    expect([selectAsked(now())?.id, remove.asked.length]).toEqual(["one", 0]);
    actor.send({ type: "removal.dismissed" });
    actor.send({ type: "removal.requested", id: "one" });
    actor.send({ type: "removal.confirmed" });
    await remove.last().resolve();
    expect([names(), emitted.length]).toEqual([["two"], 1]);
    actor.send({ type: "removal.requested", id: "two" });
    actor.send({ type: "removal.confirmed" });
    await remove.last().reject("notFound");
    expect(selectFailure(now())).toBe("notFound");
    await load.last().resolve({ items: [] });
    expect(names()).toEqual([]);
  });

  test("reloads the tokens when the page is seen again", async () => {
    const { load, wakeUps, names } = await opened("one");
    wakeUps.say({ type: "page.resumed" });
    await load.last().resolve({ items: [] });
    expect(names()).toEqual([]);
    wakeUps.say({ type: "page.resumed" });
    await load.last().reject("network");
    wakeUps.say({ type: "page.resumed" });
    await load.last().resolve({ items: [token("two")] });
    expect(names()).toEqual(["two"]);
  });

  test("shows no tokens when the server has none, and retries loading when the network is back", async () => {
    const without = start();
    await without.load.last().reject("notOffered");
    expect(selectIsUnavailable(without.now())).toBe(true);
    const later = start();
    await later.load.last().reject("network");
    expect(selectHasFailed(later.now())).toBe(true);
    later.wakeUps.say({ type: "page.resumed" });
    await later.load.last().resolve({ items: [token("one")] });
    expect(later.names()).toEqual(["one"]);
  });
});

test("shows the action in progress for one of several tokens, and counts revocations", async () => {
  const { actor, create, remove, names, now } = await opened("one", "two", "three");
  expect([selectIsLoading(now()), selectIsOpen(now()), selectReturns(now())]).toEqual([false, true, 0]);
  actor.send({ type: "creation.requested" });
  expect([selectIsWriting(now()), selectIsCreating(now())]).toEqual([true, false]);
  actor.send({ type: "creation.submitted", draft });
  expect([selectIsWriting(now()), selectIsCreating(now())]).toEqual([true, true]);
  await create.last().reject("network");
  expect([selectIsWriting(now()), selectIsCreating(now()), selectFailure(now())]).toEqual([true, false, "network"]);
  actor.send({ type: "creation.dismissed" });
  for (const [id, left] of [
    ["two", ["one", "three"]],
    ["one", ["three"]],
  ] as const) {
    actor.send({ type: "removal.requested", id });
    expect([selectAsked(now())?.id, selectRemoving(now())]).toEqual([id, null]);
    actor.send({ type: "removal.confirmed" });
    expect([selectAsked(now()), selectRemoving(now())]).toEqual([null, id]);
    await remove.last().resolve();
    expect([names(), selectRemoving(now())]).toEqual([left, null]);
  }
  expect(selectReturns(now())).toBe(2);
});
