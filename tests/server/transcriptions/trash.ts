import type * as v from "valibot";
import { BatchAnswer, TrashAnswer, trashMs } from "#contract/index.ts";
import type { Running } from "#server/start.ts";
import { base, type Person, read, type TestClock } from "#tests/server/harness.ts";

const day = 24 * 60 * 60 * 1000;

export async function trash(person: Person, query = ""): Promise<v.InferOutput<typeof TrashAnswer>> {
  return read(await person.call("GET", `${base}/trash${query}`), 200, TrashAnswer);
}

/** @param path "" moves them to the trash */
export async function batch(person: Person, path: "" | "/restore" | "/erase", ids: readonly string[]): Promise<BatchAnswer> {
  return read(await person.call("POST", `${base}/trash${path}`, { ids }), 200, BatchAnswer);
}

/** Lets the time of everything in the trash pass, with a sweep before its last day and one at its end. */
export async function passTrashTime(server: Pick<Running, "sweep">, clock: TestClock): Promise<void> {
  clock.advance(trashMs - day);
  await server.sweep();
  clock.advance(day);
  await server.sweep();
}
