import { Problem } from "#server/errors/problem.ts";

/** A rejected Stripe call is our error, not the caller's. Stripe's message is only logged. */
export const refused = (cause: unknown): Problem =>
  new Problem("network", "The payment provider can't be reached or refused the request.", { cause });

/** @throws Problem `network` */
export async function asking<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (cause) {
    throw refused(cause);
  }
}

/** Like `asking`. @param code a code of Stripe that is not an error here: the result is then undefined */
export function askingUnless<Answer>(code: string, call: Promise<Answer>): Promise<Answer | undefined> {
  const isIt = (error: unknown) => error instanceof Error && "code" in error && error.code === code;
  return asking(
    call.catch((error: unknown) => {
      if (!isIt(error)) throw error;
      return undefined;
    }),
  );
}

/** The id of a Stripe object that is referenced, or expanded. */
export const nameOf = (reference: string | { id: string } | null | undefined): string | undefined =>
  typeof reference === "string" ? reference : reference?.id;
