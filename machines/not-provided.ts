/** Placeholder for an actor, action, guard or delay that must be provided; throws with its name. */
export function notProvided(name: string): never {
  throw new Error(`${name} was not provided`);
}
