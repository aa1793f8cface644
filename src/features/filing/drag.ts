import * as v from "valibot";
import { parsed } from "#src/browser/stored.ts";

/** What is dragged: ids of rows, as JSON. */
const type = "application/x-parlance-rows";
const Ids = v.array(v.string());

/** Rows are taken along. */
export function beginDrag({ dataTransfer }: Pick<DragEvent, "dataTransfer">, ids: readonly string[]): void {
  dataTransfer?.setData(type, JSON.stringify(ids));
}

/** What they are cannot be read before they are dropped. */
export function hasRows({ dataTransfer }: Pick<DragEvent, "dataTransfer">): boolean {
  return dataTransfer?.types.includes(type) === true;
}

/** The ids of rows that were dropped. */
export const droppedRows = ({ dataTransfer }: Pick<DragEvent, "dataTransfer">): readonly string[] =>
  parsed(Ids, dataTransfer?.getData(type)) ?? [];
