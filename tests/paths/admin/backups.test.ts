import { createActor } from "xstate";
import type { AdminBackups } from "#contract/index.ts";
import { adminBackupsMachine } from "#machines/admin/backups.ts";
import { backups, runningBackup } from "#tests/machines/admin/harness.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const fetchBackups = stubs.asking<AdminBackups, unknown>();
  const begin = stubs.asking<AdminBackups, unknown>();
  const machine = adminBackupsMachine.provide({ actors: { fetchBackups: fetchBackups.logic, begin: begin.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), fetchBackups, begin });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;
const asked = ({ fetchBackups }: Harness) => fetchBackups;
const begun = ({ begin }: Harness) => begin;

walkTests<Harness>({
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
  situation: (harness) => [
    context(harness).seen === null ? "nothing" : context(harness).seen?.running === null ? "at rest" : "under way",
    context(harness).failure,
    context(harness).staleness,
  ],
  rules: {
    "the list is asked for once at a time": ({ fetchBackups }) => fetchBackups.open().length <= 1,
    "one is begun at a time, and not while one is seen being made": (harness) =>
      harness.begin.open().length === 0 || (harness.begin.open().length === 1 && context(harness).seen?.running === null),
  },
});
