import { RemoteError } from "./remote.ts";

/** A field of a request that a server may refuse. */
export interface OptionalField {
  /** What is left out: "prompt", or one value of a field, "language=eu". */
  key: string;
  /** How the refusal names it. */
  pattern: RegExp;
}

/**
 * Asks a server again without a field that it refuses by name, whatever the status. What was left out of a request that
 * succeeded is left out of all later ones.
 * @throws what the last request throws
 */
export type AskWithout = <Answer>(
  fields: readonly OptionalField[],
  ask: (leftOut: ReadonlySet<string>) => Promise<Answer>,
) => Promise<Answer>;

/** Remembers what one server refuses, until the process ends. */
export function rememberRefusals(): AskWithout {
  const refused = new Set<string>();
  return async (fields, ask) => {
    const leftOut = new Set(refused);
    for (;;) {
      try {
        const answer = await ask(leftOut);
        for (const key of leftOut) refused.add(key);
        return answer;
      } catch (error) {
        if (!(error instanceof RemoteError)) throw error;
        const named = fields.find(({ key, pattern }) => !leftOut.has(key) && error.names(pattern));
        if (named === undefined) throw error;
        leftOut.add(named.key);
      }
    }
  };
}
