import { createActor, type EventObject } from "xstate";
import type { ReceivedShare } from "#contract/index.ts";
import type { Listed } from "#machines/collection/events.ts";
import { type LoadingEvent, selectIsUnavailable } from "#machines/collection/loading.ts";
import { selectBusy, selectItems } from "#machines/collection/selectors.ts";
import { sharedWithMeMachine } from "#machines/people/shared-with-me.ts";
import { loadingMoves, removalMoves, removalRules } from "#tests/paths/harness-collection.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const one: ReceivedShare = {
  id: "one",
  transcription: "t",
  title: "The harbour",
  date: "2026-03-01T12:00:00.000Z",
  durationSeconds: null,
  by: "owner@example.org",
  role: "read",
  accepted: false,
  expiresAt: null,
};

function prepare(stubs: Stubs) {
  const load = stubs.asking<Listed<ReceivedShare>>();
  const accept = stubs.asking<Listed<ReceivedShare>, { id: string }>();
  const remove = stubs.asking<void, { id: string }>();
  const wakeUps = stubs.callback<LoadingEvent, EventObject>();
  const machine = sharedWithMeMachine.provide({
    actors: { load: load.logic, accept: accept.logic, remove: remove.logic, wakeUps: wakeUps.logic },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    return {
      actor,
      load,
      accept,
      remove,
      wakeUps,
      server: { now: [one] as readonly ReceivedShare[] },
      confirmed: { last: false },
    };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const accepting = ({ accept }: Harness) => accept;

walkTests<Harness>({
  machine: sharedWithMeMachine,
  prepare,
  moves: [
    sent({ type: "acceptance.requested", id: "one" }),
    ...removalMoves<Harness>(({ server }) => {
      server.now = [];
    }),
    ...loadingMoves<Harness, Listed<ReceivedShare>>(({ server }) => ({ items: server.now })),
    answered("it is accepted", accepting, ({ server }) => {
      server.now = server.now.map((share) => ({ ...share, accepted: true }));
      return { items: server.now };
    }),
    refused("it can't be accepted", accepting, failure("network")),
    refused("it was taken away meanwhile", accepting, failure("notFound")),
  ],
  situation: (harness) => [
    selectItems(snapshot(harness)).map(({ id, accepted }) => `${id} ${accepted}`),
    snapshot(harness).context.chosen,
    snapshot(harness).context.failure,
    harness.server.now.length,
    harness.confirmed.last,
  ],
  rules: {
    "one call at a time": ({ load, accept, remove }) => load.open().length + accept.open().length + remove.open().length <= 1,
    ...removalRules,
    "what is answered is said": (harness) =>
      (selectBusy(snapshot(harness)) !== null) === harness.accept.open().length + harness.remove.open().length > 0,
    "a server without the call is left alone": (harness) =>
      !selectIsUnavailable(snapshot(harness)) || harness.load.open().length === 0,
  },
});
