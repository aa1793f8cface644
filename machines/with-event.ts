/**
 * An action or a guard that is given the event: `actions: withEvent("assignRows")`.
 * @param type its name in the machine's setup; its parameters are what it reads of the event
 */
export const withEvent = <const Type extends string>(type: Type) => ({
  type,
  params: <Event>({ event }: { event: Event }): Event => event,
});

/** An action or a guard that is given what an actor has resolved with. @param type its name in the machine's setup */
export const withOutput = <const Type extends string>(type: Type) => ({
  type,
  params: <Output>({ event }: { event: { output: Output } }): Output => event.output,
});
