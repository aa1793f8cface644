import { expect, onTestFinished, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import type { AdminBackups } from "#contract/index.ts";
import {
  adminBackupsMachine,
  selectBackupIsBeginning,
  selectBackups,
  selectBackupsAreLoading,
  selectBackupsFailure,
  selectBackupsStaleness,
} from "#machines/admin/backups.ts";
import { answering } from "#tests/machines/harness.ts";
import { backups, runningBackup } from "./harness.ts";

function start() {
  const clock = new SimulatedClock();
  const [fetched, begun] = [answering<AdminBackups>(), answering<AdminBackups>()];
  const machine = adminBackupsMachine.provide({ actors: { fetchBackups: fetched.logic, begin: begun.logic } });
  const actor = createActor(machine, { clock });
  const emitted: string[] = [];
  actor.on("backup.made", ({ type }) => emitted.push(type));
  actor.on("backup.failed", ({ type }) => emitted.push(type));
  actor.start();
  onTestFinished(() => void actor.stop());
  return { actor, clock, fetched, begun, emitted };
}

test("polls a running backup every second and announces its end once", async () => {
  const { actor, clock, fetched, begun, emitted } = start();
  await fetched.last().resolve(backups());
  actor.send({ type: "backup.requested" });
  actor.send({ type: "backup.requested" });
  expect(begun.asked).toHaveLength(1);
  await begun.last().resolve(backups({ running: runningBackup }));
  actor.send({ type: "backup.requested" });
  expect(begun.asked).toHaveLength(1);
  clock.increment(1_000);
  await fetched.last().resolve(backups({ running: { ...runningBackup, phase: "checking" } }));
  expect(selectBackups(actor.getSnapshot())?.running?.phase).toBe("checking");
  expect(emitted).toEqual([]);
  clock.increment(1_000);
  await fetched.last().resolve(backups());
  clock.increment(29_999);
  expect(fetched.asked).toHaveLength(3);
  clock.increment(1);
  await fetched.last().resolve(backups());
  expect(emitted).toEqual(["backup.made"]);
});

test("shows why a backup could not be started, and follows the one that somebody else started", async () => {
  const { actor, clock, fetched, begun, emitted } = start();
  await fetched.last().resolve(backups());
  actor.send({ type: "backup.requested" });
  await begun.last().reject("conflict");
  expect(selectBackupsFailure(actor.getSnapshot())).toBe("conflict");
  // Without a wait.
  await fetched.last().resolve(backups({ running: runningBackup }));
  clock.increment(1_000);
  await fetched.last().resolve(backups({ failure: { at: runningBackup.startedAt, message: "The disk is full." } }));
  expect(emitted).toEqual(["backup.failed"]);
  actor.send({ type: "backup.requested" });
  expect(selectBackupsFailure(actor.getSnapshot())).toBeNull();
});

test("retries a failed list on request, and keeps the shown list when an update fails", async () => {
  const { actor, clock, fetched } = start();
  await fetched.last().reject("network");
  clock.increment(60_000);
  expect([fetched.asked.length, selectBackupsFailure(actor.getSnapshot())]).toEqual([1, "network"]);
  actor.send({ type: "refresh.requested" });
  await fetched.last().resolve(backups({ keep: 3 }));
  clock.increment(30_000);
  await fetched.last().reject("network");
  expect([selectBackups(actor.getSnapshot())?.keep, selectBackupsStaleness(actor.getSnapshot())]).toEqual([3, "network"]);
  actor.send({ type: "refresh.requested" });
  await fetched.last().resolve(backups({ keep: 4 }));
  expect([selectBackups(actor.getSnapshot())?.keep, selectBackupsStaleness(actor.getSnapshot())]).toEqual([4, null]);
});

test("shows that the list is loading and that a backup is starting", async () => {
  const { actor, fetched, begun } = start();
  const seen = () => [selectBackupsAreLoading(actor.getSnapshot()), selectBackupIsBeginning(actor.getSnapshot())];
  expect(seen()).toEqual([true, false]);
  await fetched.last().resolve(backups());
  expect(seen()).toEqual([false, false]);
  actor.send({ type: "backup.requested" });
  expect(seen()).toEqual([false, true]);
  await begun.last().resolve(backups({ running: runningBackup }));
  expect(seen()).toEqual([false, false]);
});
