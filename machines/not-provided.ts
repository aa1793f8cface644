/** Stands where a machine expects the world: an actor, action, guard or delay of this name that nobody has provided. */
export function notProvided(name: string): never {
  throw new Error(`${name} was not provided`);
}
