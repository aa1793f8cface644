import { expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import { type LibraryAddressEmitted, type LibraryAddressEvent, libraryAddressMachine } from "#machines/transcriptions/address.ts";
import { type LibraryView, noView } from "#machines/transcriptions/view.ts";
import { stopsAfterTest } from "#tests/machines/harness.ts";

const view = (parts: Partial<LibraryView>): LibraryView => ({ ...noView, ...parts });

function setUp(...events: readonly LibraryAddressEvent[]) {
  const clock = new SimulatedClock();
  const actor = stopsAfterTest(createActor(libraryAddressMachine, { clock }));
  const emitted: LibraryAddressEmitted[] = [];
  actor.on("*", (event) => emitted.push(event));
  actor.start();
  for (const event of events) actor.send(event);
  return { clock, emitted, send: actor.send.bind(actor) };
}

/** The dashboard is open at the bare address, and the list follows it. */
function opened() {
  const page = setUp({ type: "address.entered", view: noView }, { type: "address.followed" });
  page.emitted.length = 0;
  return page;
}

test("shows the address's view when the dashboard opens, without changing the address", () => {
  const { emitted, send } = setUp({ type: "address.entered", view: view({ q: "tea", status: "failed" }) });
  send({ type: "view.changed", view: view({ q: "tea" }) });
  send({ type: "address.followed" });
  expect(emitted).toEqual([{ type: "address.shown", view: view({ q: "tea", status: "failed" }) }]);
});

test("puts a filter into the address at once, and ignores the resulting address event", () => {
  const { emitted, send } = opened();
  send({ type: "view.changed", view: view({ folder: "w" }) });
  send({ type: "address.entered", view: view({ folder: "w" }) });
  expect(emitted).toEqual([{ type: "address.outdated", view: view({ folder: "w" }) }]);
});

test("puts typed text into the address 300 ms after the last letter, or when the field is left", () => {
  const { clock, emitted, send } = opened();
  send({ type: "view.changed", view: view({ q: "t" }) });
  clock.increment(299);
  send({ type: "view.changed", view: view({ q: "te" }) });
  clock.increment(299);
  expect(emitted).toEqual([]);
  clock.increment(1);
  expect(emitted).toEqual([{ type: "address.outdated", view: view({ q: "te" }) }]);
  send({ type: "view.changed", view: view({ q: "tea" }) });
  send({ type: "search.left" });
  expect(emitted.at(-1)).toEqual({ type: "address.outdated", view: view({ q: "tea" }) });
});

test("puts typed text and a newly chosen filter into the address together", () => {
  const { emitted, send } = opened();
  send({ type: "view.changed", view: view({ q: "tea" }) });
  send({ type: "view.changed", view: view({ q: "tea", status: "failed" }) });
  expect(emitted).toEqual([{ type: "address.outdated", view: view({ q: "tea", status: "failed" }) }]);
});

test("shows the address's view after Back instead of the typed text", () => {
  const { clock, emitted, send } = opened();
  send({ type: "view.changed", view: view({ q: "tea" }) });
  send({ type: "address.entered", view: view({ folder: "w" }) });
  send({ type: "address.followed" });
  clock.increment(300);
  expect(emitted).toEqual([{ type: "address.shown", view: view({ folder: "w" }) }]);
});

test("ignores other pages' addresses, and follows again when the dashboard opens", () => {
  const { emitted, send } = opened();
  send({ type: "page.left" });
  send({ type: "view.changed", view: view({ folder: "w" }) });
  expect(emitted).toEqual([]);
  send({ type: "address.entered", view: noView });
  expect(emitted).toEqual([{ type: "address.shown", view: noView }]);
});
