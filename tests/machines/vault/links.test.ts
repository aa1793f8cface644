import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { VaultLink } from "#contract/index.ts";
import type { Created, Drafted, Listed } from "#machines/collection/events.ts";
import { type LoadingEvent, selectFailure, selectIsLoading } from "#machines/collection/loading.ts";
import { selectIsCreating, selectIsWriting, selectItems, selectRemoving } from "#machines/collection/selectors.ts";
import { linkFlaw, selectIsLinkMade, type VaultLinkTypes, vaultLinksMachine, type WantedLink } from "#machines/vault/links.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

const now = Date.parse("2026-03-01T10:00:00Z");
const link: VaultLink = {
  id: "l1",
  audio: true,
  text: true,
  locked: false,
  createdAt: "2026-03-01T10:00:00.000Z",
  expiresAt: null,
  ended: false,
  views: 0,
};
const draft: WantedLink = { audio: true, text: true, expiresAt: null, passphrase: "seventeen green boats" };

async function opened(links: readonly VaultLink[] = [link]) {
  const load = answering<Listed<VaultLink>>();
  const create = answering<Created<VaultLinkTypes>, Drafted<VaultLinkTypes>>();
  const remove = answering<void, { id: string }>();
  const dropped: string[] = [];
  const emitted: string[] = [];
  const machine = vaultLinksMachine.provide({
    actors: { load: load.logic, create: create.logic, remove: remove.logic, wakeUps: talking<LoadingEvent>().logic },
    actions: { dropAddress: () => void dropped.push("address") },
  });
  const actor = stopsAfterTest(createActor(machine, { input: { now: () => now } }));
  actor.on("*", ({ type }) => emitted.push(type));
  actor.start();
  const get = () => actor.getSnapshot();
  expect(selectIsLoading(get())).toBe(true);
  await load.last().resolve({ items: links });
  const made = (item: VaultLink) => create.last().resolve({ item, secret: null });
  return { actor, load, create, made, remove, dropped, emitted, get };
}

describe("links to a recording in the vault", () => {
  test("creates a link, shows its address once, and stores no passphrase", async () => {
    const { actor, create, made, dropped, get } = await opened([]);
    actor.send({ type: "creation.requested" });
    actor.send({ type: "creation.submitted", draft });
    expect([selectIsCreating(get()), create.last().input]).toEqual([true, { draft }]);
    await made(link);
    expect(JSON.stringify(get().context)).not.toContain("boats");
    expect([selectIsLinkMade(get()), selectItems(get()), dropped]).toEqual([true, [link], []]);
    actor.send({ type: "secret.dismissed" });
    expect(dropped).toEqual(["address"]);
  });

  test("keeps the form after a refusal or a locked vault", async () => {
    const { actor, create, get } = await opened();
    actor.send({ type: "creation.requested" });
    actor.send({ type: "creation.submitted", draft });
    await create.last().reject("locked");
    expect([selectIsWriting(get()), selectFailure(get())]).toEqual([true, "locked"]);
    actor.send({ type: "creation.submitted", draft: { ...draft, audio: false, text: false } });
    expect([create.asked.length, selectFailure(get())]).toEqual([1, "showsNothing"]);
    actor.send({ type: "creation.dismissed" });
    expect([selectIsWriting(get()), selectFailure(get())]).toEqual([false, null]);
  });
});

test.each([
  [{ audio: false, text: false }, "showsNothing"],
  [{ passphrase: "short" }, "shortPassphrase"],
  [{ passphrase: " ".repeat(20) }, "blankPassphrase"],
  [{ expiresAt: "2026-02-28T10:00:00Z" }, "pastEnd"],
  [{ passphrase: null, expiresAt: "2026-03-02T10:00:00Z" }, null],
])("checks a form before a link is made: %o", (part, flaw) => {
  expect(linkFlaw({ ...draft, ...part }, now)).toBe(flaw);
});

test("revokes only the chosen link, and lists the newest first", async () => {
  const others = ["l2", "l3"].map((id) => ({ ...link, id }));
  const { actor, made, remove, emitted, get } = await opened([link, ...others]);
  const ids = () => selectItems(get()).map(({ id }) => id);
  actor.send({ type: "removal.requested", id: "l2" });
  actor.send({ type: "removal.confirmed" });
  expect([remove.inputs(), selectRemoving(get())]).toEqual([[{ id: "l2" }], "l2"]);
  await remove.last().resolve();
  expect([ids(), emitted]).toEqual([["l1", "l3"], ["item.removed"]]);
  actor.send({ type: "creation.requested" });
  actor.send({ type: "creation.submitted", draft });
  await made({ ...link, id: "l4" });
  expect(ids()).toEqual(["l4", "l1", "l3"]);
});
