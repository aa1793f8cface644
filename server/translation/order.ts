import type { TranslationEngine } from "./engine.ts";

/**
 * The engines of a pair in the order in which they are asked: as they are preferred, or as they are chosen for the pair. Where something is
 * chosen, nothing else is asked. Where none of it works, only those that keep the text on this machine: whoever chose did not choose them.
 * @param engines that work, in order of preference
 */
export function enginesInOrder<Engine extends Pick<TranslationEngine, "id" | "offline">>(
  engines: readonly Engine[],
  chosen: readonly string[] | undefined,
): Engine[] {
  if (chosen === undefined) return [...engines];
  const listed = [...new Set(chosen)].flatMap((id) => engines.find((engine) => engine.id === id) ?? []);
  return listed.length > 0 ? listed : engines.filter((engine) => engine.offline);
}
