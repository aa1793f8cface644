import { RemoteError } from "./remote.ts";

/** A field of a request that a server may refuse. */
export interface OptionalField {
  /** The omitted part: "prompt", or one value of a field, "language=eu". */
  key: string;
  /** Its name in the refusal. */
  pattern: RegExp;
}

/** Words that refuse a field or one of its values, whichever of them stands first. */
const refusing =
  "unsupported|unknown|unrecogni[sz]ed|unexpected|invalid|deprecated|extra|no such|only|must be|must have|has to be|should be|(?:not|n't) (?:\\w+ )?(?:support|allow|permit|recogni[sz]|accept|implement|compatible|valid|available|known|found|in)\\w*";
/** Refusals that don't concern a field, whatever words they have: a later request may succeed. */
const passing = String.raw`^(?![^]*\b(?:flagged|polic(?:y|ies)|moderation|overloaded|capacity|quota|rate limit))[^]*?`;

/**
 * How a server refuses a field: OpenAI names it as `param`, FastAPI as `loc`, others in a sentence. A sentence that
 * merely has its word is no refusal: "The language model is busy."
 */
export function refusalOf(name: string): RegExp {
  const field = String.raw`(?<![\w-])${name}(?![\w-]| model)`;
  const near = String.raw`(?:[^.!?\n]|[.?!]\d){0,80}`;
  const named = String.raw`"(?:param|loc)"\s*:\s*(?:\[[^\]]{0,80})?"${name}"`;
  return new RegExp(
    `${passing}(?:${named}|\\b(?:${refusing})\\b${near}${field}|${field}${near}(?:\\b|(?<=[a-z]))(?:${refusing}))`,
    "i",
  );
}

/**
 * Asks a server again without a field that it refuses by name, whatever the status. If a request succeeds, later ones
 * omit the same fields.
 * @throws the error of the last request
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
