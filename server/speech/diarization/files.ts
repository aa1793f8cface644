import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** The file of a model of speakers, absolute: the int8 one where there are two; undefined when there is none. */
export async function findNetwork(folder: string): Promise<string | undefined> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".onnx")).sort();
  const file = files.find((one) => one.includes("int8")) ?? files[0];
  return file === undefined ? undefined : join(folder, file);
}
