import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs } from "@zxcvbn-ts/language-common";

/** From 0 (tried at once) to 4 (beyond guessing), as zxcvbn has it. */
type Strength = 0 | 1 | 2 | 3 | 4;
/** @param personal data about the person that others know */
export type Scorer = (password: string, personal: readonly string[]) => Strength;

/** In characters: the rest can only make a password stronger, and costs time. */
const maxJudged = 64;

/** @param common passwords to try first, the most common one first */
export function createScorer(common: string[]): Scorer {
  const zxcvbn = new ZxcvbnFactory({ dictionary: { common }, graphs: adjacencyGraphs });
  return (password, personal) => zxcvbn.check(password.slice(0, maxJudged), [...personal]).score;
}
