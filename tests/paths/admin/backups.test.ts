import { createActor } from "xstate";
import type { AdminBackups } from "#contract/index.ts";
import { adminBackupsMachine } from "#machines/admin/backups.ts";
import { backups, runningBackup } from "#tests/machines/admin/rig.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const fetchBackups = stage.asking<AdminBackups, unknown>();
  const begin = stage.asking<AdminBackups, unknown>();
  const machine = adminBackupsMachine.provide({ actors: { fetchBackups: fetchBackups.logic, begin: begin.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), fetchBackups, begin });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;
const asked = ({ fetchBackups }: Rig) => fetchBackups;
const begun = ({ begin }: Rig) => begin;

walkTests<Rig>({
  machine: adminBackupsMachine,
  prepare,
  moves: [
    sent({ type: "refresh.requested" }),
    sent({ type: "backup.requested" }),
    answered("the list comes", asked, () => backups()),
    answered("the list comes, with one under way", asked, () => backups({ running: runningBackup })),
    refused("the list can't be had", asked, failure("network")),
    answered("one has begun", begun, () => backups({ running: runningBackup })),
    refused("somebody else was first", begun, failure("conflict")),
    untilNextTimer,
  ],
  situation: (rig) => [
    context(rig).seen === null ? "nothing" : context(rig).seen?.running === null ? "at rest" : "under way",
    context(rig).failure,
    context(rig).staleness,
  ],
  rules: {
    "the list is asked for once at a time": ({ fetchBackups }) => fetchBackups.open().length <= 1,
    "one is begun at a time, and not while one is seen being made": (rig) =>
      rig.begin.open().length === 0 || (rig.begin.open().length === 1 && context(rig).seen?.running === null),
  },
});
