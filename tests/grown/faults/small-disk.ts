import { spawnSync } from "node:child_process";
import { open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { temporaryFolder } from "#tests/server/harness.ts";

/** A small file system that a test fills and empties. */
export interface SmallDisk {
  folder: string;
  /** Fills the disk until at most this many bytes are free. */
  fill(leaving?: number): Promise<void>;
  /** Frees the space again. */
  makeRoom(): Promise<void>;
}

const mount = (...args: string[]) => spawnSync("mount", args).status === 0;
const unmount = (folder: string) => spawnSync("umount", ["-l", folder]);

/** Whether this user may mount a disk: root may, except in a container without that right. */
export const canMount = await (async () => {
  const folder = await makeTemporaryFolder();
  const isMounted = mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", folder);
  if (isMounted) unmount(folder);
  await rm(folder, { recursive: true, force: true });
  return isMounted;
})();

/** Mounts a disk that is removed after the test. @param bytes its size */
export async function smallDisk(bytes: number): Promise<SmallDisk> {
  const folder = await temporaryFolder();
  if (!mount("-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder)) throw new Error("The disk could not be mounted.");
  onTestFinished(() => void unmount(folder));
  const filler = join(folder, "filler");
  return {
    folder,
    fill: async (leaving = 0) => {
      await using file = await open(filler, "a");
      for (;;) {
        const { bavail, bsize } = await statfs(folder);
        const room = bavail * bsize - leaving;
        if (room <= 0) return;
        await file.appendFile(Buffer.alloc(Math.min(room, 4 * 1024 * 1024)));
      }
    },
    makeRoom: () => rm(filler, { force: true }),
  };
}
