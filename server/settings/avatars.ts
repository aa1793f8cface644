import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { drawPicture } from "#server/http/draw-image.ts";

/** Side length of the square, in pixels. */
const shape = { width: 256, height: 256, fit: "cover", quality: 85 } as const;

/** Profile pictures: `<data>/avatars/<name>.webp`, re-encoded, which drops all other content (location, time, scripts). */
export interface Avatars {
  /** @returns its unguessable name. @throws Problem (http/draw-image.ts) */
  keep(picture: Uint8Array): Promise<string>;
  /** undefined when there is none with this name. */
  read(name: string): Promise<Buffer | undefined>;
  remove(name: string): Promise<void>;
}

/** @param dataDir absolute */
export function openAvatars(dataDir: string): Avatars {
  const folder = join(dataDir, "avatars");
  const path = (name: string) => join(folder, `${name}.webp`);
  return {
    keep: async (picture) => {
      const { data } = await drawPicture(picture, shape);
      const name = randomUUID();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(path(name), data, { mode: 0o600, flush: true });
      return name;
    },
    read: async (name) => (/^[\da-f-]{36}$/.test(name) ? readFile(path(name)).catch(() => undefined) : undefined),
    remove: (name) => rm(path(name), { force: true }),
  };
}
