import { randomUUID } from "node:crypto";
import { drawPicture } from "#server/http/draw-image.ts";
import type { Storage } from "#server/storage/storage.ts";

/** Side length of the square, in pixels. */
const shape = { width: 256, height: 256, fit: "cover", quality: 85 } as const;

/** Profile pictures: `avatars/<name>.webp`, re-encoded, which drops all metadata (location, time, scripts). */
export interface Avatars {
  /** @returns its unguessable name. @throws Problem (http/draw-image.ts) */
  keep(picture: Uint8Array, person: string): Promise<string>;
  /** Undefined when no picture has this name. */
  read(name: string): Promise<Buffer | undefined>;
  remove(name: string): Promise<void>;
}

const isName = (name: string) => /^[\da-f-]{36}$/.test(name);

export function openAvatars(storage: Pick<Storage, "blobs">): Avatars {
  const pictures = storage.blobs("avatars");
  return {
    keep: async (picture, person) => {
      const { data } = await drawPicture(picture, shape, person);
      const name = randomUUID();
      await pictures.write(name, data);
      return name;
    },
    read: async (name) => (isName(name) ? pictures.read(name) : undefined),
    remove: pictures.remove,
  };
}
