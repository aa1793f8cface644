import * as v from "valibot";

const Machine = v.looseObject({ config: v.looseObject({ id: v.string(), states: v.looseObject({}) }) });

/** A machine's configuration as JSON, with its states in order and functions as `{type}`; undefined for other logic. */
export function definitionOf(actor: object): string | undefined {
  if (!("logic" in actor) || !v.is(Machine, actor.logic)) return undefined;
  return JSON.stringify(actor.logic.config, (_, value: unknown) =>
    typeof value === "function" ? { type: functionName(value) } : value,
  );
}

/**
 * The operands of `and`, `or` and `not`, and XState's names of its own actions. The build removes other functions'
 * names.
 */
function functionName(value: object): string {
  if ("guards" in value && Array.isArray(value.guards)) {
    const parts = value.guards.map((part) => (typeof part === "string" ? part : "…"));
    return parts.length === 1 ? `¬ ${parts[0]}` : parts.join(" + ");
  }
  return "type" in value && typeof value.type === "string" ? value.type.replace(/^xstate\./, "") : "…";
}
