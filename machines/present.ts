/**
 * A value that the state guarantees, for what an actor is given.
 * @param name what it is, for the error
 * @throws Error when it is not there: the chart is wrong
 */
export function present<Value>(value: Value | null, name: string): Value {
  if (value === null) throw new Error(`${name} is not there yet`);
  return value;
}
