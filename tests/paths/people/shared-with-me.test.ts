import { createActor, type EventObject } from "xstate";
import type { ReceivedShare } from "#contract/index.ts";
import type { Listed } from "#machines/collection/events.ts";
import { type LoadingEvent, selectIsUnavailable } from "#machines/collection/loading.ts";
import { selectBusy, selectItems } from "#machines/collection/selectors.ts";
import { sharedWithMeMachine } from "#machines/people/shared-with-me.ts";
import { loadingMoves, removalMoves, removalRules } from "#tests/paths/harness-collection.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
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

function prepare(stage: Stage) {
  const load = stage.asking<Listed<ReceivedShare>>();
  const accept = stage.asking<Listed<ReceivedShare>, { id: string }>();
  const remove = stage.asking<void, { id: string }>();
  const wakeUps = stage.callback<LoadingEvent, EventObject>();
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
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const accepting = ({ accept }: Rig) => accept;

walkTests<Rig>({
  machine: sharedWithMeMachine,
  prepare,
  moves: [
    sent({ type: "acceptance.requested", id: "one" }),
    ...removalMoves<Rig>(({ server }) => {
      server.now = [];
    }),
    ...loadingMoves<Rig, Listed<ReceivedShare>>(({ server }) => ({ items: server.now })),
    answered("it is accepted", accepting, ({ server }) => {
      server.now = server.now.map((share) => ({ ...share, accepted: true }));
      return { items: server.now };
    }),
    refused("it can't be accepted", accepting, failure("network")),
    refused("it was taken away meanwhile", accepting, failure("notFound")),
  ],
  situation: (rig) => [
    selectItems(snapshot(rig)).map(({ id, accepted }) => `${id} ${accepted}`),
    snapshot(rig).context.chosen,
    snapshot(rig).context.failure,
    rig.server.now.length,
    rig.confirmed.last,
  ],
  rules: {
    "one call at a time": ({ load, accept, remove }) => load.open().length + accept.open().length + remove.open().length <= 1,
    ...removalRules,
    "what is answered is said": (rig) =>
      (selectBusy(snapshot(rig)) !== null) === rig.accept.open().length + rig.remove.open().length > 0,
    "a server without the call is left alone": (rig) => !selectIsUnavailable(snapshot(rig)) || rig.load.open().length === 0,
  },
});
