import type { DBSchema } from "idb";
import * as v from "valibot";
import { createDatabase } from "#src/browser/indexed-db.ts";

/** The metadata of a running recording in this browser. Contains neither content nor name. */
const LeftoverRow = v.object({
  id: v.string(),
  ownerId: v.string(),
  /** Epoch ms. */
  startedAt: v.number(),
  /** The audio's content type. */
  type: v.string(),
  durationSeconds: v.number(),
});
export type LeftoverRow = v.InferOutput<typeof LeftoverRow>;

interface Tables extends DBSchema {
  recordings: { key: string; value: unknown };
  /** Keys: recording id and piece number. Values: age files, encrypted for the vault. */
  pieces: { key: [string, number]; value: ArrayBuffer };
}

export type LeftoverDb = ReturnType<typeof createLeftoverDb>;

const piecesOf = (id: string) => IDBKeyRange.bound([id, 0], [id, Number.POSITIVE_INFINITY]);

/**
 * Encrypted pieces of recordings in IndexedDB. Every method rejects when the browser has no room or forbids storage.
 */
export function createLeftoverDb(name = "parlance-vault") {
  const open = createDatabase<Tables>({
    name,
    create: (db) => {
      db.createObjectStore("recordings", { keyPath: "id" });
      db.createObjectStore("pieces");
    },
  });
  return {
    put: async (row: LeftoverRow) => void (await (await open()).put("recordings", row)),
    list: async (ownerId: string) => {
      const rows = await (await open()).getAll("recordings");
      return rows.flatMap((value) => {
        const row = v.safeParse(LeftoverRow, value);
        return row.success && row.output.ownerId === ownerId ? [row.output] : [];
      });
    },
    putPiece: async (id: string, number: number, cipher: Uint8Array<ArrayBuffer>) =>
      void (await (await open()).put("pieces", cipher.slice().buffer, [id, number])),
    /** In order of recording. */
    pieces: async (id: string) => {
      const values = await (await open()).getAll("pieces", piecesOf(id));
      return values.map((value) => new Uint8Array(value));
    },
    remove: async (id: string) => {
      const transaction = (await open()).transaction(["recordings", "pieces"], "readwrite");
      await Promise.all([
        transaction.objectStore("pieces").delete(piecesOf(id)),
        transaction.objectStore("recordings").delete(id),
        transaction.done,
      ]);
    },
  };
}
