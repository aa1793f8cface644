import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs } from "@zxcvbn-ts/language-common";
import type { Scorer } from "./password-strength.ts";

/** In characters: what follows can only make a password stronger, and each costs time. */
const maxJudged = 64;

/** @param common passwords that are tried first, the most common one first */
export function createScorer(common: string[]): Scorer {
  const zxcvbn = new ZxcvbnFactory({ dictionary: { common }, graphs: adjacencyGraphs });
  return (password, personal) => zxcvbn.check(password.slice(0, maxJudged), [...personal]).score;
}
