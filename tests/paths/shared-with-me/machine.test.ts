import { createActor } from "xstate";
import type { ReceivedShare } from "#contract/index.ts";
import {
  type SharedWithMeEvent,
  selectAsked,
  selectBusy,
  selectIsUnavailable,
  selectShares,
  sharedWithMeMachine,
} from "#machines/shared-with-me/machine.ts";
import { answered, failure, refused, said, sent } from "#tests/paths/harness-moves.ts";
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
  const load = stage.asking<readonly ReceivedShare[]>();
  const accept = stage.asking<readonly ReceivedShare[], { id: string }>();
  const leave = stage.asking<readonly ReceivedShare[], { id: string }>();
  const wakeUps = stage.callback<SharedWithMeEvent>();
  const machine = sharedWithMeMachine.provide({
    actors: { load: load.logic, accept: accept.logic, leave: leave.logic, wakeUps: wakeUps.logic },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    return {
      actor,
      load,
      accept,
      leave,
      wakeUps,
      server: { now: [one] as readonly ReceivedShare[] },
      confirmed: { last: false },
    };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const loading = ({ load }: Rig) => load;
const accepting = ({ accept }: Rig) => accept;
const leaving = ({ leave }: Rig) => leave;

walkTests<Rig>({
  machine: sharedWithMeMachine,
  prepare,
  moves: [
    sent({ type: "acceptance.requested", id: "one" }),
    {
      ...sent<SharedWithMeEvent>({ type: "leaving.requested", id: "one" }),
      happen: ({ actor, confirmed }: Rig) => {
        confirmed.last = false;
        actor.send({ type: "leaving.requested", id: "one" });
      },
    },
    {
      ...sent<SharedWithMeEvent>({ type: "leaving.confirmed" }),
      happen: ({ actor, confirmed }: Rig) => {
        confirmed.last = true;
        actor.send({ type: "leaving.confirmed" });
      },
    },
    sent({ type: "leaving.dismissed" }),
    sent({ type: "reload.requested" }),
    answered("they are loaded", loading, ({ server }) => server.now),
    refused("the server has no such call", loading, failure("notOffered")),
    refused("they can't be loaded", loading, failure("network")),
    {
      ...answered("it is accepted", accepting, ({ server }: Rig) => {
        server.now = server.now.map((share) => ({ ...share, accepted: true }));
        return server.now;
      }),
      may: (rig: Rig) => rig.accept.open().length > 0 && snapshot(rig).context.answers < 2,
    },
    refused("it can't be accepted", accepting, failure("network")),
    refused("it was taken away meanwhile", accepting, failure("notFound")),
    {
      ...answered("it is left", leaving, ({ server }: Rig) => {
        server.now = [];
        return server.now;
      }),
      may: (rig: Rig) => rig.leave.open().length > 0 && snapshot(rig).context.answers < 2,
    },
    refused("it can't be left", leaving, failure("network")),
    refused("it had been taken away", leaving, failure("notFound")),
    said({ type: "page.resumed" }, ({ wakeUps }: Rig) => wakeUps),
  ],
  situation: (rig) => [
    selectShares(snapshot(rig)).map(({ id, accepted }) => `${id} ${accepted}`),
    snapshot(rig).context.subject,
    snapshot(rig).context.answers,
    snapshot(rig).context.failure,
    snapshot(rig).context.loadError,
    rig.server.now.length,
    rig.confirmed.last,
  ],
  rules: {
    "one call at a time": ({ load, accept, leave }) => load.open().length + accept.open().length + leave.open().length <= 1,
    "nothing is left that was not confirmed": ({ leave, confirmed }) => leave.open().length === 0 || confirmed.last,
    "what is asked is not left yet": (rig) => selectAsked(snapshot(rig)) === null || rig.leave.open().length === 0,
    "what is answered is said": (rig) =>
      (selectBusy(snapshot(rig)) !== null) === rig.accept.open().length + rig.leave.open().length > 0,
    "a server without the call is left alone": (rig) => !selectIsUnavailable(snapshot(rig)) || rig.load.open().length === 0,
  },
});
