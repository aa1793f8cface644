import * as v from "valibot";
import { parsed } from "#src/browser/stored.ts";

/** The type of the dragged data: ids of rows, as JSON. */
const type = "application/x-parlance-rows";
const Ids = v.array(v.string());

/** Starts dragging rows. */
export function beginDrag({ dataTransfer }: Pick<DragEvent, "dataTransfer">, ids: readonly string[]): void {
  dataTransfer?.setData(type, JSON.stringify(ids));
}

/** Whether rows are being dragged. Browsers reveal the ids only on drop. */
export function hasRows({ dataTransfer }: Pick<DragEvent, "dataTransfer">): boolean {
  return dataTransfer?.types.includes(type) === true;
}

/** The ids of the dropped rows. */
export const droppedRows = ({ dataTransfer }: Pick<DragEvent, "dataTransfer">): readonly string[] =>
  parsed(Ids, dataTransfer?.getData(type)) ?? [];
