import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs } from "@zxcvbn-ts/language-common";

/** The scale of zxcvbn: from 0 (guessed at once) to 4 (very hard to guess). */
type Strength = 0 | 1 | 2 | 3 | 4;
/** @param personal data about the user that others may know */
export type Scorer = (password: string, personal: readonly string[]) => Strength;

/** Characters that are scored. More of them can only make a password stronger, and cost time. */
const maxJudged = 64;

/** @param common passwords to try first, the most common one first */
export function createScorer(common: string[]): Scorer {
  const zxcvbn = new ZxcvbnFactory({ dictionary: { common }, graphs: adjacencyGraphs });
  return (password, personal) => zxcvbn.check(password.slice(0, maxJudged), [...personal]).score;
}
