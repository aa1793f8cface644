import { createActor } from "xstate";
import { type LibraryAddressEvent, libraryAddressMachine } from "#machines/transcriptions/address.ts";
import { isSameView, type LibraryView, noView } from "#machines/transcriptions/view.ts";
import { sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const typed: LibraryView = { ...noView, q: "tea" };
const chosen: LibraryView = { ...noView, folder: "w" };

function prepare() {
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(libraryAddressMachine, { clock, inspect });
    // The view in the address, and the shown view.
    const now = { address: noView, list: noView, isAway: true };
    actor.on("address.outdated", ({ view }) => {
      now.address = view;
    });
    actor.on("address.shown", ({ view }) => {
      now.list = view;
    });
    return { actor, now };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

function entered(name: string, view: LibraryView): Move<Harness> {
  const move = sent<LibraryAddressEvent>({ type: "address.entered", view }, `the address is ${name}`);
  return {
    ...move,
    // Also if the address was just written.
    may: () => true,
    happen: (harness, clock) => {
      Object.assign(harness.now, { address: view, isAway: false });
      move.happen(harness, clock);
    },
  };
}

function changed(name: string, view: LibraryView): Move<Harness> {
  const move = sent<LibraryAddressEvent>({ type: "view.changed", view }, `the list shows ${name}`);
  return {
    ...move,
    may: ({ actor, now }) => !now.isAway && !actor.getSnapshot().matches({ shown: "following" }),
    happen: (harness, clock) => {
      harness.now.list = view;
      move.happen(harness, clock);
    },
  };
}

const left = sent<LibraryAddressEvent>({ type: "page.left" });

walkTests<Harness>({
  machine: libraryAddressMachine,
  prepare,
  moves: [
    entered("bare", noView),
    entered("a search", typed),
    sent<LibraryAddressEvent>({ type: "address.followed" }),
    changed("everything", noView),
    changed("what is typed", typed),
    changed("what is typed further", { ...typed, q: "teapot" }),
    changed("a folder", chosen),
    sent<LibraryAddressEvent>({ type: "search.left" }),
    untilNextTimer,
    {
      ...left,
      happen: (harness, clock) => {
        harness.now.isAway = true;
        left.happen(harness, clock);
      },
    },
  ],
  isLocal: "the address is in the browser",
  situation: ({ now }) => now,
  rules: {
    "the address says what the list shows, but while somebody types": ({ actor, now }) =>
      now.isAway || actor.getSnapshot().matches({ shown: "typing" }) || isSameView(now.address, now.list),
  },
});
