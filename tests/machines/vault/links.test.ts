import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { VaultLink } from "#contract/index.ts";
import {
  linkFlaw,
  selectHasLinksFailed,
  selectIsAskingLink,
  selectIsLinkMade,
  selectIsLoadingLinks,
  selectIsMakingLink,
  selectIsWritingLink,
  selectLinksFailure,
  selectRevokingLink,
  selectVaultLinks,
  vaultLinksMachine,
  type WantedLink,
} from "#machines/vault/links.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

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
  const load = answering<readonly VaultLink[]>();
  const create = answering<VaultLink, WantedLink>();
  const revoke = answering<void, { id: string }>();
  const dropped: string[] = [];
  const emitted: string[] = [];
  const machine = vaultLinksMachine.provide({
    actors: { load: load.logic, create: create.logic, revoke: revoke.logic },
    actions: { dropAddress: () => void dropped.push("address") },
  });
  const actor = stopsAfterTest(createActor(machine, { input: { now: () => now } }));
  actor.on("*", ({ type }) => emitted.push(type));
  actor.start();
  const get = () => actor.getSnapshot();
  expect(selectIsLoadingLinks(get())).toBe(true);
  await load.last().resolve(links);
  return { actor, load, create, revoke, dropped, emitted, get };
}

describe("the links to a recording in the vault", () => {
  test("are listed, and tried again when they can't be", async () => {
    const { get } = await opened();
    expect(selectVaultLinks(get())).toEqual([link]);
    const load = answering<readonly VaultLink[]>();
    const failing = stopsAfterTest(
      createActor(vaultLinksMachine.provide({ actors: { load: load.logic } }), { input: { now: () => now } }),
    ).start();
    await load.last().reject("network");
    expect([selectHasLinksFailed(failing.getSnapshot()), selectLinksFailure(failing.getSnapshot())]).toEqual([true, "network"]);
    failing.send({ type: "reload.requested" });
    expect([selectLinksFailure(failing.getSnapshot()), selectHasLinksFailed(failing.getSnapshot())]).toEqual([null, false]);
    await load.last().resolve([link]);
    expect(selectVaultLinks(failing.getSnapshot())).toEqual([link]);
  });

  test("one is made: its address is shown once, and the passphrase is kept nowhere", async () => {
    const { actor, create, dropped, get } = await opened([]);
    actor.send({ type: "creation.requested" });
    expect(selectIsWritingLink(get())).toBe(true);
    actor.send({ type: "creation.submitted", draft });
    expect([selectIsMakingLink(get()), create.last().input]).toEqual([true, draft]);
    await create.last().resolve(link);
    expect(JSON.stringify(get().context)).not.toContain("boats");
    expect([selectIsLinkMade(get()), selectVaultLinks(get()), dropped]).toEqual([true, [link], []]);
    actor.send({ type: "secret.dismissed" });
    expect(dropped).toEqual(["address"]);
  });

  test("what was typed stays when the server does not take it, or the vault was locked meanwhile", async () => {
    const { actor, create, get } = await opened();
    actor.send({ type: "creation.requested" });
    actor.send({ type: "creation.submitted", draft });
    await create.last().reject("locked");
    expect([selectIsWritingLink(get()), selectLinksFailure(get())]).toEqual([true, "locked"]);
    actor.send({ type: "creation.submitted", draft: { ...draft, audio: false, text: false } });
    expect([create.asked.length, selectLinksFailure(get())]).toEqual([1, "showsNothing"]);
    actor.send({ type: "creation.dismissed" });
    expect([selectIsWritingLink(get()), selectLinksFailure(get())]).toEqual([false, null]);
  });

  test.each([
    ["by the person", undefined, []],
    ["elsewhere already", "notFound", []],
    ["not, without a connection", "network", [link]],
  ])("one is revoked %s", async (_, code, left) => {
    const { actor, revoke, emitted, get } = await opened();
    actor.send({ type: "removal.requested", id: link.id });
    expect(selectIsAskingLink(get())).toBe(true);
    actor.send({ type: "removal.dismissed" });
    actor.send({ type: "removal.requested", id: link.id });
    actor.send({ type: "removal.confirmed" });
    expect([selectRevokingLink(get()), revoke.last().input]).toEqual([link.id, { id: link.id }]);
    await (code === undefined ? revoke.last().resolve() : revoke.last().reject(code));
    expect(selectVaultLinks(get())).toEqual(left);
    expect(emitted).toEqual(left.length === 0 ? ["link.revoked"] : []);
  });
});

test.each([
  [{ audio: false, text: false }, "showsNothing"],
  [{ passphrase: "short" }, "shortPassphrase"],
  [{ passphrase: " ".repeat(20) }, "blankPassphrase"],
  [{ expiresAt: "2026-02-28T10:00:00Z" }, "pastEnd"],
  [{ passphrase: null, expiresAt: "2026-03-02T10:00:00Z" }, null],
])("what is wrong with a form is said before anything is made: %o", (part, flaw) => {
  expect(linkFlaw({ ...draft, ...part }, now)).toBe(flaw);
});

test("of several links the one that is meant is revoked, and the newest comes first", async () => {
  const others = ["l2", "l3"].map((id) => ({ ...link, id }));
  const { actor, create, revoke, emitted, get } = await opened([link, ...others]);
  const ids = () => selectVaultLinks(get()).map(({ id }) => id);
  actor.send({ type: "removal.requested", id: "l2" });
  actor.send({ type: "removal.confirmed" });
  expect([revoke.inputs(), selectRevokingLink(get())]).toEqual([[{ id: "l2" }], "l2"]);
  await revoke.last().resolve();
  expect([ids(), emitted]).toEqual([["l1", "l3"], ["link.revoked"]]);
  actor.send({ type: "creation.requested" });
  actor.send({ type: "creation.submitted", draft });
  await create.last().resolve({ ...link, id: "l4" });
  expect(ids()).toEqual(["l4", "l1", "l3"]);
});
